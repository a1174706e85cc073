import type { TextKey } from './en.ts'

export const fr = (): Readonly<Record<TextKey, string>> => ({
  name: 'Mot de passe',
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  newPassword: 'Nouveau mot de passe',
  currentPassword: 'Mot de passe actuel',
  code: 'Code',
  signIn: 'Se connecter',
  createAccount: 'Créer un compte',
  remember: 'Rester connecté',
  forgotPassword: 'Mot de passe oublié ?',
  summarySet: 'Défini',
  toAccount: 'Retour au compte',
  summaryNone: 'Non défini',
  section: 'Mot de passe',

  signUpText: 'Vous recevrez un e-mail pour confirmer votre adresse. Le compte est créé ensuite.',
  passwordHint: 'Au moins {minLength} caractères. Une phrase est facile à retenir.',
  strengthShort: 'Trop court',
  strengthFair: 'Mot de passe acceptable. Plus long, c’est mieux.',
  strengthGood: 'Bon mot de passe.',
  strengthStrong: 'Mot de passe fort.',
  continue: 'Continuer',

  checkMail: 'Consultez votre messagerie',
  checkMailText: 'Un e-mail est en route vers cette adresse. Ouvrez son lien, ou saisissez ici le code qu’il contient.',
  checkMailReset: 'Un e-mail est en route vers cette adresse. Ouvrez son lien pour continuer.',
  startAgain: 'Recommencer',

  confirm: 'Confirmez votre adresse e-mail',
  confirmText: 'Votre compte est créé avec cette adresse, et vous êtes connecté.',
  confirmExisting: 'Vous êtes connecté à votre compte avec cette adresse.',
  confirmUnused:
    'Un compte existe déjà avec cette adresse. Vous y êtes connecté, et le mot de passe choisi n’est pas utilisé.',
  choose: 'Choisissez un mot de passe',
  chooseText: 'L’inscription n’a pas été faite dans ce navigateur. Choisissez le mot de passe de votre nouveau compte.',
  confirmSubmit: 'Confirmer et se connecter',

  forgot: 'Mot de passe oublié ?',
  forgotText: 'Saisissez votre adresse e-mail. Vous recevrez un lien pour choisir un nouveau mot de passe.',
  reset: 'Choisissez un nouveau mot de passe',
  resetText:
    'Vous serez déconnecté sur tous les appareils. Vous pourrez ensuite vous connecter avec le nouveau mot de passe.',
  save: 'Enregistrer le mot de passe',

  change: 'Modifier le mot de passe',
  changeText: 'Vous restez connecté ici, et êtes déconnecté partout ailleurs.',
  set: 'Définir un mot de passe',
  setText: 'Vous pourrez alors aussi vous connecter avec votre adresse e-mail et ce mot de passe.',
  unavailable: 'Vous ne pouvez pas définir de mot de passe',
  unavailableText: 'Un mot de passe nécessite une adresse e-mail vérifiée.',
  changed: 'Votre mot de passe a été modifié',
  changedText: 'Utilisez désormais le nouveau mot de passe.',
  toSite: 'Continuer',

  gone: 'Ce lien ne fonctionne plus',
  goneText: 'Il a été utilisé, a expiré, ou quelque chose a changé depuis. Demandez-en un nouveau.',
  used: 'C’est déjà fait',
  usedText: 'Ce lien a déjà été utilisé. Vous n’en avez plus besoin.',

  emailLetters: 'Les adresses e-mail contenant des lettres comme ä ou é avant le @ ne sont pas prises en charge.',
  emailInvalid: 'Saisissez une adresse e-mail, comme ada@example.com.',
  codeWrong: 'Ce code est incorrect. Consultez le dernier e-mail.',
  characters: 'Le mot de passe contient un caractère qui ne peut pas être utilisé.',
  tooShort: 'Utilisez au moins {minLength} caractères.',
  tooLong: 'Utilisez au plus 256 caractères.',
  tooCommon: 'Ce mot de passe est utilisé par beaucoup de personnes. Choisissez-en un autre.',
  isAddress: 'N’utilisez ni votre adresse ni le nom du site comme mot de passe.',
  breached: 'Ce mot de passe est connu par une fuite de données. Choisissez-en un autre.',
  currentWrong: 'Ce n’est pas votre mot de passe actuel.',
  conflict: 'Le mot de passe a été modifié par une autre demande. Réessayez.',

  mailSignUpSubject: 'Confirmez votre adresse e-mail pour {site}',
  mailSignUpText:
    'Quelqu’un s’est inscrit à {site} avec cette adresse.\nConfirmez l’adresse dans l’heure pour créer le compte. Dans le navigateur de l’inscription, vous pouvez aussi saisir ce code :\n{code}\nSi ce n’était pas vous, ignorez cet e-mail. Aucun compte n’est créé.',
  mailSignUpButton: 'Confirmer l’adresse e-mail',
  mailExistsSubject: 'Vous avez déjà un compte sur {site}',
  mailExistsText:
    'Quelqu’un s’est inscrit à {site} avec cette adresse, qui a déjà un compte.\nConnectez-vous, ou choisissez un nouveau mot de passe si vous avez oublié le vôtre.\nSi ce n’était pas vous, ignorez cet e-mail. Rien n’a été modifié.',
  mailExistsButton: 'Se connecter',
  mailResetSubject: 'Choisissez un nouveau mot de passe pour {site}',
  mailResetText:
    'Quelqu’un a demandé un nouveau mot de passe pour votre compte sur {site}.\nChoisissez-le dans l’heure. Vous serez ensuite déconnecté sur tous les appareils.\nSi ce n’était pas vous, ignorez cet e-mail. Votre mot de passe reste inchangé.',
  mailResetButton: 'Choisir un nouveau mot de passe',
  mailConfirmSubject: 'Connexion à {site}',
  mailConfirmText:
    'Quelqu’un a demandé un nouveau mot de passe pour {site}. L’adresse de ce compte n’est pas encore vérifiée.\nConfirmez-la dans l’heure pour vous connecter. Vous pourrez ensuite définir un mot de passe.\nSi ce n’était pas vous, ignorez cet e-mail.',
  mailConfirmButton: 'Confirmer l’adresse e-mail',
  mailUnknownSubject: 'Aucun compte sur {site}',
  mailUnknownText:
    'Quelqu’un a demandé un nouveau mot de passe pour {site}, mais il n’y a pas de compte avec cette adresse.\nPeut-être vous êtes-vous inscrit avec une autre.\nSi ce n’était pas vous, ignorez cet e-mail.',
  mailUnknownButton: 'Créer un compte',
  mailChangedSubject: 'Votre mot de passe pour {site} a été modifié',
  mailChangedText:
    'Le mot de passe de votre compte sur {site} a été modifié le {time}, depuis l’adresse {client}.\nSi ce n’était pas vous, choisissez tout de suite un nouveau mot de passe. Cela déconnecte tous les autres.',
  mailChangedButton: 'Choisir un nouveau mot de passe'
})
