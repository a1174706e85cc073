import { nl as mailedCode } from '../../mail/texts/nl.ts'
import type { TextKey } from './en.ts'

export const nl = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'nl',
  summaryOn: 'Aan',
  toAccount: 'Terug naar het account',
  summaryOff: 'Uit',
  section: 'Verificatie in twee stappen',
  factorsText:
    'Met verificatie in twee stappen kan niemand inloggen die alleen uw wachtwoord kent of alleen uw e-mail kan lezen.',
  app: 'Authenticator-app',
  appAdded: 'Ingesteld op {date}.',
  appUsed: 'Laatst gebruikt op {date}.',
  noApp: 'Er is geen authenticator-app ingesteld.',
  start: 'Authenticator-app instellen',
  remove: 'Authenticator-app verwijderen',
  removeText: 'Ook uw herstelcodes worden verwijderd, en u wordt overal elders uitgelogd.',
  removeAlone: 'U wordt overal elders uitgelogd.',
  codesLeft: 'Resterende herstelcodes: {left}.',
  codesFew: 'U hebt nog maar weinig herstelcodes. Maak nieuwe.',
  codesMissing: 'U hebt geen herstelcodes. Maak nieuwe.',
  createCodes: 'Nieuwe herstelcodes maken',
  createCodesText: 'De codes die u nu hebt, werken dan niet meer.',
  verify: 'Bevestig dat u het bent om wijzigingen te maken',
  anyCode: 'Code uit de app, of herstelcode',

  enroll: 'Authenticator-app instellen',
  enrollText: 'Voeg deze sleutel toe aan een authenticator-app op uw telefoon: scan de QR-code of kopieer de sleutel.',
  enrollRequired: 'Deze site vereist verificatie in twee stappen.',
  qrCode: 'QR-code voor de authenticator-app',
  key: 'Sleutel voor de app',
  code: 'Code uit de app',
  codeHint: '{digits} cijfers',
  confirm: 'Bevestigen',
  confirmAddress: 'Bevestig uw e-mailadres',
  mailText: 'Vraag eerst een code per e-mail aan, zodat alleen u een app kunt instellen.',

  codes: 'Uw herstelcodes',
  codesText:
    'Met een van deze codes kunt u inloggen zonder de app, bijvoorbeeld als u uw telefoon kwijt bent. Elke code werkt één keer. Bewaar ze op een veilige plaats: ze worden alleen nu weergegeven.',
  codesShown:
    'Uw herstelcodes zijn al weergegeven. Als u ze niet hebt opgeslagen, maak dan nieuwe nadat u bent ingelogd.',
  codesDownload: 'Codes downloaden',
  codesSaved: 'Ik heb de codes opgeslagen',
  back: 'Verificatie in twee stappen',

  challenge: 'Bevestig dat u het bent',
  challengeText: 'Vul de code in die uw authenticator-app nu weergeeft.',
  challengePasskey: 'Gebruik uw passkey om door te gaan.',
  challengeOther: 'Gebruik een passkey of een herstelcode om door te gaan.',
  challengeRecovery: 'Gebruik een herstelcode om door te gaan.',
  challengeNone: 'Log op een andere manier in of neem contact op met de beheerders van deze website.',
  exhaustedText: 'Er zijn veel onjuiste codes voor uw account ingevuld, daarom is er ook een code per e-mail nodig.',
  continue: 'Doorgaan',
  trust: 'In deze browser {days} niet meer vragen',
  usePasskey: 'Passkey gebruiken',
  needsScript: 'Voor passkeys zijn JavaScript en een browser nodig die ze ondersteunt.',
  useRecoveryCode: 'Herstelcode gebruiken',
  recoveryCode: 'Herstelcode',
  recoveryHint: 'Tien letters en cijfers',

  codeWrong: 'De code is onjuist, is al gebruikt of is verlopen. Vul de code in die de app nu weergeeft.',
  recoveryWrong: 'Deze herstelcode is onjuist of is al gebruikt.',
  anyWrong: 'De code is onjuist of is al gebruikt.',
  passkeyWrong: 'De passkey kon niet worden gebruikt. Probeer het opnieuw, of gebruik een andere manier.',
  passkeyChanged:
    'Deze passkey is veranderd sinds hij is toegevoegd. Gebruik een andere manier, verwijder hem daarna en voeg hem opnieuw toe.',
  exhausted: 'Er zijn te veel onjuiste codes ingevuld, daarom is een code uit de app niet genoeg.',
  expired: 'Dat duurde te lang. Begin opnieuw.',
  conflict: 'De verificatie in twee stappen is door een ander verzoek gewijzigd. Probeer het opnieuw.',
  unverified: 'Bevestig eerst uw e-mailadres om verificatie in twee stappen in te stellen.',

  unavailable: 'U kunt verificatie in twee stappen niet instellen',
  unavailableText: 'Het account waarmee u bent ingelogd, wordt hier niet opgeslagen.',
  signIn: 'Inloggen',

  step: 'Stap {step} van 3',
  openApp: 'Openen in uw authenticator-app',
  copy: 'Kopiëren',
  copied: 'Gekopieerd',
  goBack: 'Terug',
  codesPrint: 'Afdrukken',
  anotherAccount: 'Een ander account gebruiken',
  lost: 'Ik ben mijn telefoon en mijn codes kwijt',
  lostTitle: 'Bent u uw telefoon en uw codes kwijt?',
  lostFactor: 'Bent u uw telefoon of uw passkey kwijt?',
  lostText: 'Zoek eerst naar de herstelcodes: in het bestand {file}, op papier of in uw wachtwoordbeheerder.',
  lostHelp:
    'Als u ze niet kunt vinden, neem dan contact op met de beheerders van deze website. Nadat zij hebben gecontroleerd dat u het bent, kunnen zij verificatie in twee stappen voor uw account uitschakelen.',
  lostContact:
    'Neem contact op met de beheerders van deze website. Nadat zij hebben gecontroleerd dat u het bent, kunnen zij verificatie in twee stappen voor uw account uitschakelen.',
  support: 'Contact opnemen met de ondersteuning',
  recoveryCodes: 'Herstelcodes',
  recoveryText: 'Met een herstelcode kunt u inloggen als u uw telefoon kwijt bent. Elke code werkt één keer.',
  noCodes: 'U hebt nog geen herstelcodes.',
  passkeys: 'Passkeys',
  passkeysNotAsked:
    'Zonder authenticator-app wordt niet om een passkey gevraagd als u op een andere manier inlogt. Stel een app in om verificatie in twee stappen in te schakelen.',

  mailCodeSubject: 'Uw code voor {site}',
  mailCodeText:
    'Iemand logt in op uw account bij {site} of stelt er een authenticator-app of een passkey voor in. Deze code is nodig om door te gaan:\n{code}\nBent u dit niet, geef de code dan aan niemand en wijzig waarmee u inlogt.',
  mailAddedSubject: 'Verificatie in twee stappen is ingeschakeld voor uw account bij {site}',
  mailAddedText:
    'Er is een authenticator-app ingesteld voor uw account bij {site} op {time}, vanaf het adres {client}.\nWas u dit niet, neem dan nu contact op met de ondersteuning van {site}.',
  mailRemovedSubject: 'Verificatie in twee stappen is uitgeschakeld voor uw account bij {site}',
  mailRemovedText:
    'De authenticator-app en de herstelcodes zijn verwijderd uit uw account bij {site} op {time}, vanaf het adres {client}.\nWas u dit niet, log dan in en stel nu een authenticator-app in.',
  mailAppRemovedSubject: 'De authenticator-app is verwijderd uit uw account bij {site}',
  mailAppRemovedText:
    'De authenticator-app is verwijderd uit uw account bij {site} op {time}, vanaf het adres {client}.\nWas u dit niet, log dan in en stel nu een authenticator-app in.',
  mailUsedSubject: 'Er is een herstelcode gebruikt voor uw account bij {site}',
  mailUsedText:
    'Er is een herstelcode van uw account bij {site} gebruikt op {time}, vanaf het adres {client}. Resterende herstelcodes: {left}.\nWas u dit niet, log dan in, wijzig waarmee u inlogt en maak nieuwe herstelcodes.',
  mailRenewedSubject: 'Er zijn nieuwe herstelcodes gemaakt voor uw account bij {site}',
  mailRenewedText:
    'Er zijn nieuwe herstelcodes gemaakt voor uw account bij {site} op {time}, vanaf het adres {client}. De eerdere codes werken niet meer.\nWas u dit niet, log dan in, wijzig waarmee u inlogt en maak nieuwe herstelcodes.',
  mailResetSubject: 'De verificatie in twee stappen van uw account bij {site} is gereset',
  mailResetText:
    'De ondersteuning van {site} heeft de authenticator-app en de herstelcodes van uw account verwijderd op {time}. U bent overal uitgelogd.\nHebt u hier niet om gevraagd, neem dan nu contact op met de ondersteuning.',
  mailButton: 'Verificatie in twee stappen controleren'
})
