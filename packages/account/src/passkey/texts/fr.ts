import { fr as mailedCode } from '../../mail/texts/fr.ts'
import type { TextKey } from './en.ts'

export const fr = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'fr',
  name: 'Clé d’accès',
  signIn: 'Se connecter avec une clé d’accès',
  signInText: 'Votre appareil demande votre empreinte digitale, votre visage ou le déverrouillage de son écran.',
  needsScript: 'Les clés d’accès nécessitent JavaScript et un navigateur qui les prend en charge.',
  otherWays: 'Autres moyens de se connecter',
  noneHere: 'Pas de clé d’accès ici ? Utilisez votre téléphone, ou un autre moyen.',
  usePhone: 'Utiliser votre téléphone',
  offer: 'Connectez-vous plus vite la prochaine fois',
  offerText:
    'Créez une clé d’accès, et connectez-vous avec votre empreinte digitale, votre visage ou le verrouillage de l’écran de votre appareil.',
  notNow: 'Pas maintenant',
  neverAsk: 'Ne plus demander',

  summary: '{names}',
  toAccount: 'Retour au compte',
  summaryNone: 'Aucune clé d’accès',
  passkeys: 'Clés d’accès',
  passkeysText:
    'Au lieu d’un mot de passe, utilisez votre empreinte digitale, votre visage ou le verrouillage de l’écran de votre appareil pour vous connecter.',
  synced: 'Disponible sur plusieurs appareils.',
  local: 'Sur un seul appareil.',
  createdAt: 'Ajoutée le {date}.',
  usedAt: 'Utilisée pour la dernière fois le {date}.',
  add: 'Ajouter une clé d’accès',
  verify: 'Confirmer votre identité pour faire des modifications',
  notCreated: 'Aucune clé d’accès n’a été créée : vous avez annulé, ou cela a pris trop de temps.',
  existsText: 'Cet appareil a déjà une clé d’accès pour votre compte.',
  existsNext: 'Vous pouvez l’utiliser pour vous connecter.',
  expired: 'Cela a pris trop de temps. Réessayez.',
  failed:
    'La clé d’accès n’a pas pu être ajoutée. Les clés d’accès nécessitent JavaScript et un navigateur qui les prend en charge.',
  exists: 'Cette clé d’accès a déjà été ajoutée.',
  tooMany: 'Vous avez atteint le nombre maximal de clés d’accès. Supprimez-en une pour en ajouter une autre.',
  unverified: 'Pour ajouter une clé d’accès, vérifiez d’abord votre adresse e-mail.',
  mailText:
    'Pour que la clé d’accès serve aussi à la validation en deux étapes, demandez d’abord un code par e-mail. Sans ce code, elle est seulement un moyen de se connecter.',

  label: 'Nom',
  save: 'Enregistrer le nom',
  remove: 'Supprimer la clé d’accès',
  removeText: 'Vous serez alors déconnecté partout ailleurs. Supprimez aussi la clé d’accès sur votre appareil.',
  nameMissing: 'Saisissez un nom.',
  conflict: 'La clé d’accès a été modifiée par une autre demande. Réessayez.',
  lastWayIn: 'C’est votre seul moyen de vous connecter. Ajoutez-en un autre avant de la supprimer.',
  back: 'Toutes les clés d’accès',
  unavailable: 'Vous ne pouvez pas avoir de clés d’accès',
  unavailableText: 'Le compte avec lequel vous êtes connecté n’est pas enregistré ici.',

  unknownText: 'Cette clé d’accès n’est pas connue ici.',
  unknownNext: 'Elle a peut-être été supprimée. Utilisez-en une autre, ou connectez-vous autrement.',
  changedText: 'Cette clé d’accès a changé depuis son ajout.',
  changedNext: 'Connectez-vous autrement, supprimez-la, puis ajoutez-la de nouveau.',
  expiredText: 'La connexion avec la clé d’accès a pris trop de temps.',
  expiredNext: 'Réessayez.',

  createAccount: 'Créer un compte avec une clé d’accès',
  signUpText: 'Vous recevrez un e-mail pour confirmer votre adresse. Le compte est créé ensuite.',
  email: 'Adresse e-mail',
  createPasskey: 'Créer une clé d’accès',
  toSignIn: 'Se connecter',

  checkMail: 'Consultez votre messagerie',
  checkMailText: 'Un e-mail est en route vers cette adresse. Ouvrez son lien, ou saisissez ici le code qu’il contient.',
  code: 'Code',
  continue: 'Continuer',
  startAgain: 'Recommencer',
  emailLetters: 'Les adresses e-mail contenant des lettres comme ä ou é avant le @ ne sont pas prises en charge.',
  emailInvalid: 'Saisissez une adresse e-mail, comme ada@example.com.',
  codeWrong: 'Ce code est incorrect. Consultez le dernier e-mail.',

  confirm: 'Confirmez votre adresse e-mail',
  confirmText: 'Votre compte est créé avec cette adresse, et vous êtes connecté.',
  confirmUnused:
    'Un compte existe déjà avec cette adresse. Vous y êtes connecté, et la clé d’accès créée n’est pas utilisée.',
  confirmSubmit: 'Confirmer et se connecter',
  createText:
    'L’inscription n’a pas été faite dans ce navigateur. Créez ici la clé d’accès de votre nouveau compte, ou saisissez le code de l’e-mail dans le navigateur de l’inscription.',
  gone: 'Ce lien ne fonctionne plus',
  goneText: 'Il a été utilisé, a expiré, ou quelque chose a changé depuis. Demandez-en un nouveau.',
  used: 'C’est déjà fait',
  usedText: 'Ce lien a déjà été utilisé. Vous n’en avez plus besoin.',

  mailAddedSubject: 'Une clé d’accès a été ajoutée à votre compte sur {site}',
  mailAddedText:
    'La clé d’accès «\u00a0{passkey}\u00a0» a été ajoutée à votre compte sur {site} le {time}, depuis l’adresse {client}.\nSi ce n’était pas vous, supprimez-la tout de suite. Cela déconnecte tous les autres.',
  mailRemovedSubject: 'Une clé d’accès a été supprimée de votre compte sur {site}',
  mailRemovedText:
    'La clé d’accès «\u00a0{passkey}\u00a0» a été supprimée de votre compte sur {site} le {time}, depuis l’adresse {client}.\nSi ce n’était pas vous, connectez-vous et vérifiez les moyens de se connecter à votre compte.',
  mailCopiedSubject: 'Une clé d’accès pour {site} a peut-être été copiée',
  mailCopiedText:
    'Quelqu’un a essayé de se connecter à {site} avec la clé d’accès «\u00a0{passkey}\u00a0» le {time}, depuis l’adresse {client}. Son compteur indique qu’il en existe peut-être une copie ; la connexion a donc été refusée.\nSupprimez cette clé d’accès et ajoutez-en une nouvelle.',
  mailButton: 'Vérifier les clés d’accès',

  mailSignUpSubject: 'Confirmez votre adresse e-mail pour {site}',
  mailSignUpText:
    'Quelqu’un s’est inscrit à {site} avec cette adresse.\nConfirmez l’adresse dans l’heure pour créer le compte. Dans le navigateur de l’inscription, vous pouvez aussi saisir ce code :\n{code}\nSi ce n’était pas vous, ignorez cet e-mail. Aucun compte n’est créé.',
  mailSignUpButton: 'Confirmer l’adresse e-mail',
  mailExistsSubject: 'Vous avez déjà un compte sur {site}',
  mailExistsText:
    'Quelqu’un s’est inscrit à {site} avec cette adresse, qui a déjà un compte.\nConnectez-vous comme vous le faisiez auparavant.\nSi ce n’était pas vous, ignorez cet e-mail. Rien n’a été modifié.',
  mailExistsButton: 'Se connecter'
})
