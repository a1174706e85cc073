import type { TextKey } from './en.ts'

export const fr: Readonly<Record<TextKey, string>> = {
  locale: 'fr',
  title: 'Votre compte',
  settings: 'Paramètres',
  signedInAs: 'Connecté en tant que',
  signOut: 'Se déconnecter',
  back: 'Retour à votre compte',
  verify: 'Confirmer votre identité',
  verifyText: 'Pour effectuer des modifications, confirmez votre identité.',
  unavailable: 'Indisponible',
  unavailableText: 'Ce compte n’a pas de paramètres ici : il est géré par l’application.',

  profile: 'Profil',
  profileText: 'Le nom que l’application utilise pour vous.',
  profileSummary: '{name}',
  profileNone: 'Aucun nom',
  name: 'Nom',
  save: 'Enregistrer',
  profileSaved: 'Votre profil a été enregistré.',
  nameTooLong: 'Le nom est trop long : utilisez au plus 100 caractères.',

  email: 'Adresse e-mail',
  emailVerified: '{email}',
  emailUnverified: '{email} · pas encore confirmée',
  emailNone: 'Aucune adresse e-mail',
  emailText: 'L’adresse avec laquelle vous vous connectez et recevez des e-mails.',
  emailFixed: 'L’adresse avec laquelle vous vous connectez. Elle ne peut pas être modifiée ici.',
  emailUnconfirmed: 'Cette adresse n’est pas encore confirmée. Envoyez-y un e-mail pour la confirmer.',
  emailNew: 'Nouvelle adresse e-mail',
  emailSubmit: 'Envoyer une confirmation',
  emailLetters: 'Les adresses e-mail contenant des lettres comme ä ou é avant le @ ne sont pas prises en charge.',
  emailInvalid: 'Cette adresse e-mail n’est pas valide.',
  emailSame: 'C’est déjà votre adresse e-mail.',
  emailPending: 'Nous avons envoyé un e-mail à {email}.',
  emailEnterCode: 'Saisir son code',
  emailConfirm: 'Confirmez votre adresse e-mail',
  emailSent: 'Nous avons envoyé un e-mail à cette adresse. Ouvrez son lien dans ce navigateur, ou saisissez son code.',
  emailConfirmText: 'Confirmez qu’il s’agit de votre adresse e-mail.',
  emailCode: 'Code reçu',
  emailConfirmSubmit: 'Confirmer l’adresse e-mail',
  emailOther: 'Utiliser une autre adresse',
  emailCodeWrong: 'Ce code est incorrect. Consultez le dernier e-mail.',
  emailBusy: 'Une autre modification de l’adresse est en cours. Réessayez dans une minute.',
  emailDelayed:
    'Un de vos moyens de connexion a été supprimé au cours des 7 derniers jours. Jusqu’au {time}, l’adresse ne peut être modifiée qu’après une connexion avec un mot de passe ou une clé d’accès qui date de plus de 7 jours.',
  emailChanged: 'Votre adresse e-mail a été modifiée.',
  emailConfirmed: 'Votre adresse e-mail a été confirmée.',
  emailElsewhere: 'Ouvrez le lien dans le même navigateur',
  emailElsewhereText:
    'Le lien ne fonctionne que dans le navigateur où vous avez demandé la modification, tant que vous y êtes connecté. Il fonctionne une seule fois, pendant une heure. Rien n’a été modifié.',
  emailGone: 'Ce lien ne fonctionne plus',
  emailGoneText: 'Il a été utilisé, a expiré, ou quelque chose a changé depuis.',
  emailTaken: 'L’adresse est déjà utilisée',
  emailTakenText: 'Un autre compte a cette adresse. Rien n’a été modifié.',
  emailUndo: 'Annuler la modification de votre adresse e-mail',
  emailUndoText: 'Votre compte retrouve cette adresse :',
  emailUndoChanged: 'Elle a été modifiée {time}.',
  emailUndoEffects:
    'Vous êtes déconnecté sur tous les appareils. Ce qui a été ajouté au compte depuis la modification est supprimé, et le mot de passe d’avant la modification est de nouveau valable.',
  emailUndoEffectsNoPassword:
    'Vous êtes déconnecté sur tous les appareils. Ce qui a été ajouté au compte depuis la modification est supprimé.',
  emailUndoProof:
    'Le lien seul ne suffit pas. Saisissez le mot de passe que vous aviez avant la modification, ou connectez-vous avec un compte ou une clé d’accès d’avant.',
  emailUndoProofPassword: 'Le lien seul ne suffit pas. Saisissez le mot de passe que vous aviez avant la modification.',
  emailUndoProofSignIn:
    'Le lien seul ne suffit pas. Connectez-vous avec un compte ou une clé d’accès d’avant la modification.',
  emailUndoAgain:
    'Vous vous êtes connecté avant la modification. Connectez-vous de nouveau pour prouver que le compte était déjà le vôtre.',
  emailUndoPassword: 'Mot de passe d’avant la modification',
  emailUndoSignIn: 'Se connecter d’abord',
  emailUndoSubmit: 'Annuler la modification',
  emailUndoUnproven: 'Cela ne prouve pas que le compte était le vôtre avant la modification. Vérifiez le mot de passe.',
  emailUndoTries:
    'Trop de mots de passe incorrects. Connectez-vous avec un compte ou une clé d’accès d’avant la modification.',
  emailUndone: 'La modification a été annulée',
  emailUndoneText:
    'Votre compte a retrouvé son ancienne adresse e-mail, et tous les appareils sont déconnectés. Connectez-vous et vérifiez votre compte.',

  connections: 'Moyens de connexion',
  connectionsText: 'Les comptes avec lesquels vous pouvez vous connecter.',
  connectionsSummary: '{providers}',
  connectionsNone: 'Aucun compte d’un autre fournisseur n’est associé',
  connected: 'Comptes associés',
  connectMore: 'Associer un autre compte',
  connect: 'Associer',
  disconnect: 'Dissocier',
  unknownProvider: 'Ne permet plus de se connecter',
  accountConnected: 'Le compte a été associé.',
  accountRemoved: 'Le compte a été dissocié. Les appareils connectés avec lui ont été déconnectés.',
  lastWayIn: 'C’est le seul moyen d’accéder à votre compte. Ajoutez-en d’abord un autre.',
  undoNeeded:
    'Ce compte permet d’annuler la dernière modification de votre adresse e-mail. Vous pourrez le dissocier 7 jours après cette modification.',
  alreadyGone: 'Cela a déjà été supprimé.',

  devices: 'Appareils',
  devicesText: 'Où vous êtes connecté. Déconnectez ce que vous ne reconnaissez pas, puis changez votre mot de passe.',
  devicesSummary: 'Où vous êtes connecté',
  thisDevice: 'Cet appareil',
  unknownDevice: 'Appareil inconnu',
  impersonated: 'Ouvert par un administrateur',
  lastSeen: 'Dernière activité : {time}',
  signedIn: 'Connexion : {time}',
  signedInWith: 'avec {provider}',
  from: 'depuis {address}',
  endDevice: 'Déconnecter',
  endOthers: 'Déconnecter tous les autres appareils',
  endOthersText: 'Vous restez connecté sur cet appareil. Tous les autres devront se reconnecter.',
  onlyDevice: 'Vous n’êtes connecté que sur cet appareil.',
  moreDevices:
    'Seuls les appareils les plus récents sont affichés. Déconnecter tous les autres appareils déconnecte aussi le reste.',
  deviceEnded: 'L’appareil a été déconnecté.',
  devicesEnded: 'Tous les autres appareils ont été déconnectés.',

  activity: 'Activité récente',
  activityText: 'Les connexions et les modifications de votre compte.',
  activitySummary: 'Connexions et modifications',
  activityNone: 'Rien n’a encore été enregistré.',
  older: 'Activité plus ancienne',
  newest: 'Activité la plus récente',
  'event-sign-in': 'Connexion',
  'event-link': 'Compte associé',
  'event-unlink': 'Compte dissocié',
  'event-enroll': 'Validation en deux étapes configurée lors de la connexion',
  'event-delete': 'Compte supprimé',
  'event-sign-in-refused': 'Connexion refusée',
  'event-verification-refused': 'Confirmation d’une connexion refusée',
  'event-request-refused': 'Demande refusée',
  'event-refusals-dropped': 'Autres tentatives refusées, non affichées',
  'event-other-sessions-ended': 'Déconnexion de tous les autres appareils',
  'event-claim': 'Adresse e-mail confirmée',
  'event-session-end': 'Déconnexion',
  'event-suspend': 'Compte suspendu',
  'event-resume': 'Compte réactivé',
  'event-password-changed': 'Mot de passe modifié',
  'event-password-reset': 'Mot de passe réinitialisé',
  'event-passkey-added': 'Clé d’accès ajoutée',
  'event-passkey-removed': 'Clé d’accès supprimée',
  'event-passkey-renamed': 'Clé d’accès renommée',
  'event-passkey-copied': 'Une clé d’accès a peut-être été copiée',
  'event-factor-added': 'Validation en deux étapes activée',
  'event-factor-imported': 'Validation en deux étapes activée par l’assistance',
  'event-factor-removed': 'Validation en deux étapes désactivée',
  'event-factor-reset': 'Validation en deux étapes désactivée par l’assistance',
  'event-second-factor-failed': 'Code incorrect de la validation en deux étapes',
  'event-recovery-code-used': 'Code de récupération utilisé',
  'event-recovery-codes-created': 'Codes de récupération créés',
  'event-email-changed': 'Adresse e-mail modifiée',
  'event-email-verified': 'Adresse e-mail confirmée',
  'event-email-undone': 'Modification de l’adresse e-mail annulée',
  'event-profile-changed': 'Profil modifié',
  'event-deletion-scheduled': 'Suppression du compte programmée',
  'event-deletion-cancelled': 'Suppression du compte annulée',
  'event-data-exported': 'Données téléchargées',
  'event-other': 'Modification : {type}',

  data: 'Vos données',
  dataText:
    'Un fichier avec ce qui est enregistré à votre sujet, dans un format que d’autres programmes peuvent lire (JSON).',
  dataSummary: 'Télécharger une copie',
  download: 'Télécharger',

  deletion: 'Supprimer le compte',
  deletionText: 'Cette action est irréversible. Lorsque vous supprimez votre compte :',
  deletionSummary: 'Supprimer votre compte et vos données',
  deletionUser: 'Votre profil et tous vos moyens de connexion sont supprimés.',
  deletionSessions: 'Vous êtes déconnecté sur tous les appareils.',
  deletionLog:
    'Ce qui s’est passé sur votre compte, et quand, reste dans un journal jusqu’au {time}, sans votre nom, votre adresse ni votre navigateur.',
  deletionMail: 'Nous envoyons une confirmation à {email}.',
  deletionConfirm: 'Saisissez {word} pour confirmer.',
  deletionWord: 'SUPPRIMER',
  deletionButton: 'Supprimer mon compte',
  deletionWrong: 'Saisissez le mot exactement comme il est affiché.',
  deletionLaterText:
    'Vous pouvez changer d’avis tant que le compte n’est pas supprimé. Lorsque vous confirmez la suppression :',
  deletionLaterUser: 'Votre profil et tous vos moyens de connexion sont supprimés le {time}.',
  deletionLaterKeep: 'D’ici là, vous pouvez vous connecter et conserver le compte.',
  deletionPending: 'Votre compte sera supprimé le {time}.',
  deletionPendingText: 'Vous pouvez le conserver d’ici là.',
  deletionKeep: 'Conserver le compte',
  deletionCancelled: 'Votre compte est conservé.',
  deletionBusy: 'Une autre modification du compte est en cours. Réessayez dans une minute.',
  deletionScheduled: 'Votre compte sera supprimé',
  deletionScheduledText:
    'Il sera supprimé le {time}. Vous avez été déconnecté. Pour le conserver, connectez-vous d’ici là et confirmez-le sur la page de votre compte.',
  deletionEnded: 'Ce compte a été supprimé à la demande de son utilisateur.',
  deleted: 'Votre compte a été supprimé',
  deletedText: 'Vous avez été déconnecté, et vos données ont été supprimées.',
  backToSite: 'Retour à {site}',
  toSite: 'Continuer vers {site}',

  mailEmailConfirmSubject: 'Confirmez votre nouvelle adresse e-mail pour {site}',
  mailEmailConfirmText: `Quelqu’un a demandé à utiliser cette adresse pour un compte sur {site}.
Confirmez l’adresse dans l’heure, dans le navigateur où vous avez demandé la modification. Vous pouvez aussi y saisir ce code :
{code}
Si ce n’était pas vous, ignorez cet e-mail. Rien ne sera modifié.`,
  mailEmailExistsSubject: 'Cette adresse a déjà un compte sur {site}',
  mailEmailExistsText: `Quelqu’un a demandé à utiliser cette adresse pour un compte sur {site}, mais elle appartient déjà à un autre compte.
Si c’était vous, connectez-vous à l’autre compte, ou utilisez une autre adresse.
Si ce n’était pas vous, ignorez cet e-mail. Rien n’a été modifié.`,
  mailEmailChangedSubject: 'Votre adresse e-mail sur {site} a été modifiée',
  mailEmailChangedText: `L’adresse e-mail de votre compte sur {site} a été modifiée le {time}, depuis l’adresse {client}.
Si c’était vous, ignorez cet e-mail.
Si ce n’était pas vous, annulez la modification dans les 7 jours. Il vous faut le mot de passe que vous aviez avant la modification, ou un autre moyen de connexion d’avant.`,
  mailEmailMovedText: `L’adresse e-mail de votre compte sur {site} a été modifiée le {time}, depuis l’adresse {client}.
Si c’était vous, ignorez cet e-mail.
Si ce n’était pas vous, contactez {site}.`,
  mailEmailUndoButton: 'Annuler la modification',
  mailEmailConfirmedSubject: 'Voici désormais votre adresse e-mail sur {site}',
  mailEmailConfirmedText: `Votre compte sur {site} utilise cette adresse e-mail depuis le {time}. Elle a été modifiée depuis l’adresse {client}.
Si ce n’était pas vous, contactez {site}.`,
  mailEmailUndoneSubject: 'La modification de votre adresse e-mail sur {site} a été annulée',
  mailEmailUndoneText: `Le compte sur {site} a retrouvé son ancienne adresse e-mail le {time}, depuis l’adresse {client}. Tous les appareils ont été déconnectés, et ce qui a été ajouté depuis la modification a été supprimé.
Si ce n’était pas vous, contactez {site}.`,
  mailDeletedSubject: 'Votre compte sur {site} a été supprimé',
  mailDeletedText: `Votre compte sur {site} a été supprimé le {time}, depuis l’adresse {client}.
Si ce n’était pas vous, répondez à cet e-mail ou contactez {site}.`,
  mailDeletionScheduledSubject: 'Votre compte sur {site} sera supprimé',
  mailDeletionScheduledText: `Votre compte sur {site} sera supprimé le {date}. Cela a été demandé le {time}, depuis l’adresse {client}.
Pour conserver le compte, connectez-vous d’ici là et confirmez sur la page de votre compte que vous le conservez.
Si ce n’était pas vous, changez aussi vos moyens de connexion.`,
  mailDeletionCancelledSubject: 'Votre compte sur {site} est conservé',
  mailDeletionCancelledText: `La suppression de votre compte sur {site} a été annulée le {time}, depuis l’adresse {client}.
Si ce n’était pas vous, changez vos moyens de connexion.`,
  mailConnectedSubject: '{provider} a été associé à votre compte sur {site}',
  mailConnectedText: `Un compte {provider} a été associé à votre compte sur {site} le {time}, depuis l’adresse {client}. Il permet de se connecter.
Si ce n’était pas vous, dissociez-le et déconnectez tous les autres appareils.`,
  mailDisconnectedSubject: '{provider} a été dissocié de votre compte sur {site}',
  mailDisconnectedText: `Votre compte {provider} ne permet plus de se connecter à {site}, depuis le {time}.
Si ce n’était pas vous, connectez-vous et vérifiez vos moyens de connexion.`,
  mailDeviceSubject: 'Nouvelle connexion à {site}',
  mailDeviceText: `Votre compte sur {site} a été utilisé sur un nouvel appareil : {device}, le {time}, depuis l’adresse {client}.
Si c’était vous, ignorez cet e-mail.
Si ce n’était pas vous, déconnectez cet appareil et changez vos moyens de connexion.`,
  mailButton: 'Vérifier votre compte'
}
