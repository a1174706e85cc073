import type { TextKey } from './en.ts'

export const nl = (): Readonly<Record<TextKey, string>> => ({
  name: 'Wachtwoord',
  email: 'E-mailadres',
  password: 'Wachtwoord',
  newPassword: 'Nieuw wachtwoord',
  currentPassword: 'Huidig wachtwoord',
  code: 'Code',
  signIn: 'Inloggen',
  createAccount: 'Account maken',
  remember: 'Ingelogd blijven',
  forgotPassword: 'Wachtwoord vergeten?',
  summarySet: 'Ingesteld',
  toAccount: 'Terug naar het account',
  summaryNone: 'Niet ingesteld',
  section: 'Wachtwoord',

  signUpText: 'U krijgt een e-mail om uw adres te bevestigen. Daarna wordt het account gemaakt.',
  passwordHint: 'Minstens {minLength} tekens. Een zin is makkelijk te onthouden.',
  strengthShort: 'Te kort',
  strengthFair: 'Redelijk wachtwoord: een langer is beter.',
  strengthGood: 'Goed wachtwoord.',
  strengthStrong: 'Sterk wachtwoord.',
  continue: 'Doorgaan',

  checkMail: 'Bekijk uw e-mail',
  checkMailText: 'Er is een e-mail onderweg naar dit adres. Open de link erin, of vul hier de code in.',
  checkMailReset: 'Er is een e-mail onderweg naar dit adres. Open de link erin om door te gaan.',
  startAgain: 'Opnieuw beginnen',

  confirm: 'Bevestig uw e-mailadres',
  confirmText: 'Uw account wordt met dit adres gemaakt en u wordt ingelogd.',
  confirmExisting: 'U wordt met dit adres ingelogd op uw account.',
  confirmUnused:
    'Er is al een account met dit adres. U wordt daarop ingelogd en het gekozen wachtwoord wordt niet gebruikt.',
  choose: 'Kies een wachtwoord',
  chooseText: 'In deze browser is de registratie niet gedaan. Kies het wachtwoord van uw nieuwe account.',
  confirmSubmit: 'Bevestigen en inloggen',

  forgot: 'Wachtwoord vergeten?',
  forgotText: 'Vul uw e-mailadres in. U krijgt een link om een nieuw wachtwoord te kiezen.',
  reset: 'Kies een nieuw wachtwoord',
  resetText: 'U wordt op alle apparaten uitgelogd. Daarna kunt u met het nieuwe wachtwoord inloggen.',
  save: 'Wachtwoord opslaan',

  change: 'Wachtwoord wijzigen',
  changeText: 'Hier blijft u ingelogd; overal elders wordt u uitgelogd.',
  set: 'Een wachtwoord instellen',
  setText: 'Daarna kunt u ook met uw e-mailadres en dit wachtwoord inloggen.',
  unavailable: 'U kunt geen wachtwoord instellen',
  unavailableText: 'Voor een wachtwoord is een bevestigd e-mailadres nodig.',
  changed: 'Uw wachtwoord is gewijzigd',
  changedText: 'Gebruik vanaf nu het nieuwe wachtwoord.',
  toSite: 'Doorgaan',

  gone: 'Deze link werkt niet meer',
  goneText: 'Hij is gebruikt, is verlopen, of er is sindsdien iets veranderd. Vraag een nieuwe aan.',
  used: 'Al gedaan',
  usedText: 'Deze link is al gebruikt. U hebt hem niet meer nodig.',

  emailLetters: 'E-mailadressen met letters zoals ä of é vóór de @ worden niet ondersteund.',
  emailInvalid: 'Vul een e-mailadres in, zoals ada@example.com.',
  codeWrong: 'Deze code is onjuist. Bekijk de nieuwste e-mail.',
  characters: 'Het wachtwoord bevat een teken dat niet gebruikt kan worden.',
  tooShort: 'Gebruik minstens {minLength} tekens.',
  tooLong: 'Gebruik hoogstens 256 tekens.',
  tooCommon: 'Dit wachtwoord wordt door veel mensen gebruikt. Kies een ander.',
  isAddress: 'Gebruik uw adres of de naam van de site niet als wachtwoord.',
  breached: 'Dit wachtwoord is bekend uit een datalek. Kies een ander.',
  currentWrong: 'Dit is niet uw huidige wachtwoord.',
  conflict: 'Het wachtwoord is door een ander verzoek gewijzigd. Probeer het opnieuw.',

  mailSignUpSubject: 'Bevestig uw e-mailadres voor {site}',
  mailSignUpText:
    'Iemand heeft zich met dit adres geregistreerd bij {site}.\nBevestig het adres binnen een uur om het account te maken. In de browser van de registratie kunt u ook deze code invullen:\n{code}\nWas u dit niet, negeer dan deze e-mail. Er wordt geen account gemaakt.',
  mailSignUpButton: 'E-mailadres bevestigen',
  mailExistsSubject: 'U hebt al een account bij {site}',
  mailExistsText:
    'Iemand heeft zich met dit adres geregistreerd bij {site}, maar het heeft al een account.\nLog in, of kies een nieuw wachtwoord als u het uwe vergeten bent.\nWas u dit niet, negeer dan deze e-mail. Er is niets gewijzigd.',
  mailExistsButton: 'Inloggen',
  mailResetSubject: 'Kies een nieuw wachtwoord voor {site}',
  mailResetText:
    'Iemand heeft een nieuw wachtwoord gevraagd voor uw account bij {site}.\nKies het binnen een uur. Daarna bent u op alle apparaten uitgelogd.\nWas u dit niet, negeer dan deze e-mail. Uw wachtwoord blijft zoals het is.',
  mailResetButton: 'Nieuw wachtwoord kiezen',
  mailConfirmSubject: 'Inloggen bij {site}',
  mailConfirmText:
    'Iemand heeft een nieuw wachtwoord gevraagd voor {site}. Het adres van dit account is nog niet bevestigd.\nBevestig het binnen een uur om in te loggen. Daarna kunt u een wachtwoord instellen.\nWas u dit niet, negeer dan deze e-mail.',
  mailConfirmButton: 'E-mailadres bevestigen',
  mailUnknownSubject: 'Geen account bij {site}',
  mailUnknownText:
    'Iemand heeft een nieuw wachtwoord gevraagd voor {site}, maar er is geen account met dit adres.\nMisschien hebt u zich met een ander adres geregistreerd.\nWas u dit niet, negeer dan deze e-mail.',
  mailUnknownButton: 'Account maken',
  mailChangedSubject: 'Uw wachtwoord voor {site} is gewijzigd',
  mailChangedText:
    'Het wachtwoord van uw account bij {site} is gewijzigd op {time}, vanaf het adres {client}.\nWas u dit niet, kies dan nu een nieuw wachtwoord. Daarmee wordt iedereen anders uitgelogd.',
  mailChangedButton: 'Nieuw wachtwoord kiezen'
})
