import { nl as mailedCode } from '../../mail/texts/nl.ts'
import type { TextKey } from './en.ts'

export const nl = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'nl',
  name: 'Passkey',
  signIn: 'Inloggen met een passkey',
  signInText: 'Uw apparaat vraagt om uw vingerafdruk, uw gezicht of de schermvergrendeling.',
  needsScript: 'Voor passkeys zijn JavaScript en een browser nodig die ze ondersteunt.',
  otherWays: 'Andere manieren om in te loggen',
  noneHere: 'Geen passkey hier? Gebruik uw telefoon, of een andere manier.',
  usePhone: 'Uw telefoon gebruiken',
  offer: 'Log de volgende keer sneller in',
  offerText: 'Maak een passkey, en log in met uw vingerafdruk, uw gezicht of de schermvergrendeling van uw apparaat.',
  notNow: 'Niet nu',
  neverAsk: 'Niet meer vragen',

  summary: '{names}',
  toAccount: 'Terug naar het account',
  summaryNone: 'Geen passkeys',
  passkeys: 'Passkeys',
  passkeysText:
    'Log in met uw vingerafdruk, uw gezicht of de schermvergrendeling van uw apparaat in plaats van met een wachtwoord.',
  synced: 'Beschikbaar op meerdere apparaten.',
  local: 'Op één apparaat.',
  createdAt: 'Toegevoegd op {date}.',
  usedAt: 'Laatst gebruikt op {date}.',
  add: 'Passkey toevoegen',
  verify: 'Bevestig dat u het bent om wijzigingen te maken',
  notCreated: 'Er is geen passkey gemaakt: u hebt geannuleerd, of het duurde te lang.',
  existsText: 'Dit apparaat heeft al een passkey voor uw account.',
  existsNext: 'U kunt ermee inloggen.',
  expired: 'Dat duurde te lang. Probeer het opnieuw.',
  failed:
    'De passkey kon niet worden toegevoegd. Voor passkeys zijn JavaScript en een browser nodig die ze ondersteunt.',
  exists: 'Deze passkey is al eerder toegevoegd.',
  tooMany: 'U hebt het maximale aantal passkeys. Verwijder er een om een andere toe te voegen.',
  unverified: 'Bevestig eerst uw e-mailadres om een passkey toe te voegen.',
  mailText:
    'Vraag eerst een code per e-mail aan om de passkey ook voor verificatie in twee stappen te gebruiken. Zonder de code is het alleen een manier om in te loggen.',

  label: 'Naam',
  save: 'Naam opslaan',
  remove: 'Passkey verwijderen',
  removeText: 'Daarna bent u overal elders uitgelogd. Verwijder de passkey ook op uw apparaat.',
  nameMissing: 'Vul een naam in.',
  conflict: 'De passkey is door een ander verzoek gewijzigd. Probeer het opnieuw.',
  lastWayIn: 'Dit is uw enige manier om in te loggen. Voeg een andere toe voordat u de passkey verwijdert.',
  back: 'Alle passkeys',
  unavailable: 'U kunt geen passkeys hebben',
  unavailableText: 'Het account waarmee u bent ingelogd, wordt hier niet opgeslagen.',

  unknownText: 'Deze passkey is hier niet bekend.',
  unknownNext: 'Misschien is hij verwijderd. Gebruik een andere, of log op een andere manier in.',
  changedText: 'Deze passkey is veranderd sinds hij is toegevoegd.',
  changedNext: 'Log op een andere manier in, verwijder hem en voeg hem opnieuw toe.',
  expiredText: 'Het inloggen met de passkey duurde te lang.',
  expiredNext: 'Probeer het opnieuw.',

  createAccount: 'Account maken met een passkey',
  signUpText: 'U krijgt een e-mail om uw adres te bevestigen. Daarna wordt het account gemaakt.',
  email: 'E-mailadres',
  createPasskey: 'Passkey maken',
  toSignIn: 'Inloggen',

  checkMail: 'Bekijk uw e-mail',
  checkMailText: 'Er is een e-mail onderweg naar dit adres. Open de link erin, of vul hier de code in.',
  code: 'Code',
  continue: 'Doorgaan',
  startAgain: 'Opnieuw beginnen',
  emailLetters: 'E-mailadressen met letters zoals ä of é vóór de @ worden niet ondersteund.',
  emailInvalid: 'Vul een e-mailadres in, zoals ada@example.com.',
  codeWrong: 'Deze code is onjuist. Bekijk de nieuwste e-mail.',

  confirm: 'Bevestig uw e-mailadres',
  confirmText: 'Uw account wordt met dit adres gemaakt en u wordt ingelogd.',
  confirmUnused:
    'Er is al een account met dit adres. U wordt daarop ingelogd en de gemaakte passkey wordt niet gebruikt.',
  confirmSubmit: 'Bevestigen en inloggen',
  createText:
    'In deze browser is de registratie niet gedaan. Maak hier de passkey van uw nieuwe account, of vul de code uit de e-mail in de browser van de registratie in.',
  gone: 'Deze link werkt niet meer',
  goneText: 'Hij is gebruikt, is verlopen, of er is sindsdien iets veranderd. Vraag een nieuwe aan.',
  used: 'Al gedaan',
  usedText: 'Deze link is al gebruikt. U hebt hem niet meer nodig.',

  mailAddedSubject: 'Er is een passkey toegevoegd aan uw account bij {site}',
  mailAddedText:
    'De passkey ‘{passkey}’ is toegevoegd aan uw account bij {site} op {time}, vanaf het adres {client}.\nWas u dit niet, verwijder hem dan nu. Daarmee wordt iedereen anders uitgelogd.',
  mailRemovedSubject: 'Er is een passkey verwijderd uit uw account bij {site}',
  mailRemovedText:
    'De passkey ‘{passkey}’ is verwijderd uit uw account bij {site} op {time}, vanaf het adres {client}.\nWas u dit niet, log dan in en controleer hoe er op uw account kan worden ingelogd.',
  mailCopiedSubject: 'Een passkey voor {site} is misschien gekopieerd',
  mailCopiedText:
    'Iemand heeft geprobeerd in te loggen bij {site} met de passkey ‘{passkey}’ op {time}, vanaf het adres {client}. De teller ervan wijst op een mogelijke kopie, daarom is het inloggen geweigerd.\nVerwijder deze passkey en voeg een nieuwe toe.',
  mailButton: 'Passkeys controleren',

  mailSignUpSubject: 'Bevestig uw e-mailadres voor {site}',
  mailSignUpText:
    'Iemand heeft zich met dit adres geregistreerd bij {site}.\nBevestig het adres binnen een uur om het account te maken. In de browser van de registratie kunt u ook deze code invullen:\n{code}\nWas u dit niet, negeer dan deze e-mail. Er wordt geen account gemaakt.',
  mailSignUpButton: 'E-mailadres bevestigen',
  mailExistsSubject: 'U hebt al een account bij {site}',
  mailExistsText:
    'Iemand heeft zich met dit adres geregistreerd bij {site}, maar het heeft al een account.\nLog in zoals u dat eerder deed.\nWas u dit niet, negeer dan deze e-mail. Er is niets gewijzigd.',
  mailExistsButton: 'Inloggen'
})
