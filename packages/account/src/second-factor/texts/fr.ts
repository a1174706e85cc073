import { fr as mailedCode } from '../../mail/texts/fr.ts'
import type { TextKey } from './en.ts'

export const fr = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'fr',
  summaryOn: 'Activé',
  toAccount: 'Retour au compte',
  summaryOff: 'Désactivé',
  section: 'Validation en deux étapes',
  factorsText:
    'Avec la validation en deux étapes, une personne qui connaît seulement votre mot de passe, ou qui lit seulement vos e-mails, ne peut pas se connecter.',
  app: 'Application d’authentification',
  appAdded: 'Configurée le {date}.',
  appUsed: 'Utilisée pour la dernière fois le {date}.',
  noApp: 'Aucune application d’authentification n’est configurée.',
  start: 'Configurer une application d’authentification',
  remove: 'Supprimer l’application d’authentification',
  removeText: 'Vos codes de récupération sont aussi supprimés, et vous êtes déconnecté partout ailleurs.',
  removeAlone: 'Vous êtes déconnecté partout ailleurs.',
  codesLeft: 'Codes de récupération restants : {left}.',
  codesFew: 'Il vous reste peu de codes de récupération. Créez-en de nouveaux.',
  codesMissing: 'Vous n’avez aucun code de récupération. Créez-en de nouveaux.',
  createCodes: 'Créer de nouveaux codes de récupération',
  createCodesText: 'Vos codes actuels ne fonctionneront plus.',
  verify: 'Confirmer votre identité pour faire des modifications',
  anyCode: 'Code de l’application ou code de récupération',

  enroll: 'Configurer une application d’authentification',
  enrollText:
    'Ajoutez cette clé à une application d’authentification sur votre téléphone : scannez le code QR ou copiez la clé.',
  enrollRequired: 'Ce site exige la validation en deux étapes.',
  qrCode: 'Code QR pour l’application d’authentification',
  key: 'Clé pour l’application',
  code: 'Code de l’application',
  codeHint: '{digits} chiffres',
  confirm: 'Confirmer',
  confirmAddress: 'Confirmez votre adresse e-mail',
  mailText:
    'Demandez d’abord un code par e-mail, afin que personne d’autre que vous ne puisse configurer une application.',

  codes: 'Vos codes de récupération',
  codesText:
    'Vous pouvez vous connecter avec l’un de ces codes au lieu de l’application, par exemple si vous avez perdu votre téléphone. Chacun fonctionne une seule fois. Conservez-les en lieu sûr : ils ne sont affichés que maintenant.',
  codesShown:
    'Vos codes de récupération ont déjà été affichés. Si vous ne les avez pas enregistrés, créez-en de nouveaux après vous être connecté.',
  codesDownload: 'Télécharger les codes',
  codesSaved: 'J’ai enregistré les codes',
  back: 'Validation en deux étapes',

  challenge: 'Confirmez votre identité',
  challengeText: 'Saisissez le code que votre application d’authentification affiche maintenant.',
  challengePasskey: 'Utilisez votre clé d’accès pour continuer.',
  challengeOther: 'Utilisez une clé d’accès ou un code de récupération pour continuer.',
  challengeRecovery: 'Utilisez un code de récupération pour continuer.',
  challengeNone: 'Connectez-vous d’une autre manière ou contactez les responsables de ce site.',
  exhaustedText:
    'De nombreux codes incorrects ont été saisis pour votre compte ; un code par e-mail est donc aussi nécessaire.',
  continue: 'Continuer',
  trust: 'Ne plus demander dans ce navigateur pendant {days}',
  usePasskey: 'Utiliser une clé d’accès',
  needsScript: 'Les clés d’accès nécessitent JavaScript et un navigateur qui les prend en charge.',
  useRecoveryCode: 'Utiliser un code de récupération',
  recoveryCode: 'Code de récupération',
  recoveryHint: 'Dix lettres et chiffres',

  codeWrong:
    'Le code est incorrect, a déjà été utilisé ou a expiré. Saisissez celui que l’application affiche maintenant.',
  recoveryWrong: 'Ce code de récupération est incorrect ou a déjà été utilisé.',
  anyWrong: 'Le code est incorrect ou a déjà été utilisé.',
  passkeyWrong: 'La clé d’accès n’a pas pu être utilisée. Réessayez, ou utilisez un autre moyen.',
  passkeyChanged:
    'Cette clé d’accès a changé depuis son ajout. Utilisez un autre moyen, puis supprimez-la et ajoutez-la de nouveau.',
  exhausted: 'Trop de codes incorrects ont été saisis ; un code de l’application ne suffit donc plus.',
  expired: 'Cela a pris trop de temps. Recommencez.',
  conflict: 'La validation en deux étapes a été modifiée par une autre demande. Réessayez.',
  unverified: 'Pour configurer la validation en deux étapes, vérifiez d’abord votre adresse e-mail.',

  unavailable: 'Vous ne pouvez pas configurer la validation en deux étapes',
  unavailableText: 'Le compte avec lequel vous êtes connecté n’est pas enregistré ici.',
  signIn: 'Se connecter',

  step: 'Étape {step} sur 3',
  openApp: 'Ouvrir dans votre application d’authentification',
  copy: 'Copier',
  copied: 'Copié',
  goBack: 'Retour',
  codesPrint: 'Imprimer',
  anotherAccount: 'Utiliser un autre compte',
  lost: 'J’ai perdu mon téléphone et mes codes',
  lostTitle: 'Vous avez perdu votre téléphone et vos codes ?',
  lostFactor: 'Vous avez perdu votre téléphone ou votre clé d’accès ?',
  lostText:
    'Cherchez d’abord les codes de récupération : dans le fichier {file}, sur papier ou dans votre gestionnaire de mots de passe.',
  lostHelp:
    'Si vous ne les trouvez pas, contactez les responsables de ce site. Après avoir vérifié que c’est bien vous, ils peuvent désactiver la validation en deux étapes de votre compte.',
  lostContact:
    'Contactez les responsables de ce site. Après avoir vérifié que c’est bien vous, ils peuvent désactiver la validation en deux étapes de votre compte.',
  support: 'Contacter l’assistance',
  recoveryCodes: 'Codes de récupération',
  recoveryText:
    'Avec un code de récupération, vous pouvez vous connecter si vous avez perdu votre téléphone. Chacun fonctionne une seule fois.',
  noCodes: 'Vous n’avez pas encore de codes de récupération.',
  passkeys: 'Clés d’accès',
  passkeysNotAsked:
    'Sans application d’authentification, la clé d’accès n’est pas demandée quand vous vous connectez d’une autre façon. Configurez une application pour activer la validation en deux étapes.',

  mailCodeSubject: 'Votre code pour {site}',
  mailCodeText:
    'Quelqu’un est en train de se connecter à votre compte sur {site}, ou de configurer une application d’authentification ou une clé d’accès pour ce compte. Ce code est nécessaire pour continuer :\n{code}\nSi ce n’est pas vous, ne donnez le code à personne et changez vos moyens de connexion.',
  mailAddedSubject: 'La validation en deux étapes a été activée pour votre compte sur {site}',
  mailAddedText:
    'Une application d’authentification a été configurée pour votre compte sur {site} le {time}, depuis l’adresse {client}.\nSi ce n’était pas vous, contactez tout de suite l’assistance de {site}.',
  mailRemovedSubject: 'La validation en deux étapes a été désactivée pour votre compte sur {site}',
  mailRemovedText:
    'L’application d’authentification et les codes de récupération ont été supprimés de votre compte sur {site} le {time}, depuis l’adresse {client}.\nSi ce n’était pas vous, connectez-vous et configurez tout de suite une application d’authentification.',
  mailAppRemovedSubject: 'L’application d’authentification a été supprimée de votre compte sur {site}',
  mailAppRemovedText:
    'L’application d’authentification a été supprimée de votre compte sur {site} le {time}, depuis l’adresse {client}.\nSi ce n’était pas vous, connectez-vous et configurez tout de suite une application d’authentification.',
  mailUsedSubject: 'Un code de récupération de votre compte sur {site} a été utilisé',
  mailUsedText:
    'Un code de récupération de votre compte sur {site} a été utilisé le {time}, depuis l’adresse {client}. Codes de récupération restants : {left}.\nSi ce n’était pas vous, connectez-vous, changez vos moyens de connexion et créez de nouveaux codes de récupération.',
  mailRenewedSubject: 'De nouveaux codes de récupération ont été créés pour votre compte sur {site}',
  mailRenewedText:
    'De nouveaux codes de récupération ont été créés pour votre compte sur {site} le {time}, depuis l’adresse {client}. Les anciens ne fonctionnent plus.\nSi ce n’était pas vous, connectez-vous, changez vos moyens de connexion et créez de nouveaux codes de récupération.',
  mailResetSubject: 'La validation en deux étapes de votre compte sur {site} a été réinitialisée',
  mailResetText:
    'L’assistance de {site} a supprimé l’application d’authentification et les codes de récupération de votre compte le {time}. Vous êtes déconnecté partout.\nSi vous ne l’avez pas demandé, contactez tout de suite l’assistance.',
  mailButton: 'Vérifier la validation en deux étapes'
})
