import { durations } from './duration.ts'
import type { Texts } from './texts.ts'

/** French. */
export const fr: Texts = {
  lang: 'fr',
  dir: 'ltr',
  unread: 'all',
  titles: {
    signin: 'Connexion',
    signout: 'Déconnexion',
    'verify-request': 'Consultez votre messagerie',
    confirm: 'Confirmer la connexion',
    error: 'Erreur',
    'start-again': 'Recommencer',
    'other-user': 'Session déjà ouverte',
    'used-link': 'Session déjà ouverte',
    'confirm-link': 'Associer des comptes',
    welcome: 'Bienvenue'
  },
  failed: (title) => `Erreur : ${title}`,
  reference: (id) => `Référence : ${id}`,
  support: 'Contacter l’assistance',
  duration: durations('fr', {
    second: { one: '# seconde', other: '# secondes' },
    minute: { one: '# minute', other: '# minutes' },
    hour: { one: '# heure', other: '# heures' },
    day: { one: '# jour', other: '# jours' }
  }),
  signIn: {
    heading: 'Connexion',
    lead: (siteName) => `pour continuer vers ${siteName}`,
    submit: (provider) => `Se connecter avec ${provider}`,
    byEmail: 'Recevoir un lien de connexion par e-mail',
    byEmailInstead: 'Recevoir plutôt un lien par e-mail',
    byCode: 'Recevoir un code de connexion par e-mail',
    byCodeInstead: 'Recevoir plutôt un code par e-mail',
    byCredentials: 'Se connecter avec ses identifiants',
    email: 'Adresse e-mail',
    emailExample: 'nom@example.com',
    or: 'ou',
    none: 'Il n’y a pas encore de moyen de se connecter ici.',
    next: 'Continuer',
    newHere: 'Première visite ?',
    lastUsed: 'Utilisé en dernier',
    showPassword: 'Afficher le mot de passe',
    more: 'Autres moyens de se connecter',
    continueAs: (user) => `Continuer en tant que ${user}`,
    anotherAccount: 'Utiliser un autre compte',
    wrongPassword: { text: 'Adresse e-mail ou mot de passe incorrect.', next: 'Vérifiez les deux et réessayez.' },
    limited: { text: 'Trop de tentatives.', next: 'Ou connectez-vous maintenant d’une autre manière.' }
  },
  stepUp: {
    heading: 'Confirmez votre identité',
    lead: 'Pour continuer, reconnectez-vous avec le même compte.',
    repeat: 'Ensuite, envoyez de nouveau le formulaire.',
    mail: (address) => `Envoyer un code à ${address}`,
    none: 'Il n’y a ici aucun moyen de le confirmer.',
    another: 'D’une autre manière',
    notNow: 'Pas maintenant',
    wrongPassword: { text: 'Mot de passe incorrect.', next: 'Réessayez.' }
  },
  codes: {},
  problems: {
    Signin: {
      text: 'La connexion n’a pas pu aboutir.',
      next: 'Réessayez ou connectez-vous avec un autre compte.'
    },
    OAuthSignin: {
      text: 'La connexion n’a pas pu commencer.',
      next: 'Réessayez dans un instant ou connectez-vous avec un autre compte.'
    },
    OAuthCallback: {
      text: 'La réponse du service de connexion n’a pas pu être acceptée.',
      next: 'Réessayez ou connectez-vous avec un autre compte.'
    },
    OAuthCreateAccount: {
      text: 'Votre compte n’a pas pu être créé.',
      next: 'Réessayez dans un instant ou connectez-vous avec un autre compte.'
    },
    EmailCreateAccount: {
      text: 'Aucun compte n’a pu être créé pour cette adresse e-mail.',
      next: 'Réessayez dans un instant ou utilisez une autre adresse.'
    },
    Callback: {
      text: 'Un problème est survenu pendant la connexion.',
      next: 'Réessayez ou connectez-vous avec un autre compte.'
    },
    OAuthAccountNotLinked: {
      text: 'Ce n’est pas le compte que vous avez utilisé ici auparavant.',
      next: 'Pour confirmer votre identité, connectez-vous avec le même compte que la première fois.'
    },
    EmailSignin: {
      text: 'L’e-mail n’a pas pu être envoyé.',
      next: 'Vérifiez l’adresse et réessayez dans un instant.'
    },
    CredentialsSignin: {
      text: 'La connexion a échoué.',
      next: 'Vérifiez que les informations saisies sont exactes.'
    },
    SessionRequired: {
      text: 'Veuillez vous connecter pour accéder à cette page.',
      next: 'Vous y reviendrez ensuite.'
    },
    UnmetRequirements: {
      text: 'Ce mode de connexion n’a pas confirmé assez d’éléments.',
      next: 'Reconnectez-vous auprès de ce service ou choisissez un autre moyen.'
    },
    DifferentUser: {
      text: 'Ce compte appartient à quelqu’un d’autre ou est inconnu ici.',
      next: 'Utilisez un compte de la personne connectée ou déconnectez-vous d’abord.'
    },
    Default: {
      text: 'Connexion impossible.',
      next: 'Réessayez ou connectez-vous avec un autre compte.'
    }
  },
  reasons: {
    'session-expired': { text: 'Votre session a expiré.', next: 'Reconnectez-vous.' },
    'signed-out': {
      text: 'Vous êtes déconnecté.',
      next: 'Reconnectez-vous pour continuer.'
    },
    invalid: {
      text: 'Saisissez une adresse e-mail valide.',
      next: 'Vérifiez qu’elle ne contient pas de faute de frappe.'
    },
    'non-ascii': {
      text: 'Les adresses e-mail contenant des lettres comme ä ou é avant le @ ne sont pas prises en charge.',
      next: 'Utilisez une autre adresse.'
    },
    captcha: {
      text: 'La vérification que vous êtes un humain a échoué.',
      next: 'Réessayez.'
    },
    cancelled: {
      text: 'Vous avez annulé la connexion.',
      next: 'Rien n’a été modifié. Connectez-vous quand vous le souhaitez.'
    },
    expired: { text: 'La connexion a pris trop de temps.', next: 'Veuillez recommencer.' },
    unavailable: {
      text: 'Le service de connexion ne répond pas pour le moment.',
      next: 'Réessayez dans quelques minutes.'
    },
    misconfigured: {
      text: 'Ce moyen de connexion n’est pas correctement configuré.',
      next: 'Veuillez prévenir les responsables de ce site.'
    }
  },
  signOut: {
    heading: 'Déconnexion',
    question: 'Voulez-vous vraiment vous déconnecter ?',
    submit: 'Se déconnecter',
    stay: 'Garder la session ouverte'
  },
  verifyRequest: {
    heading: 'Consultez votre messagerie',
    link: 'Un lien de connexion a été envoyé à votre adresse e-mail.',
    mail: 'Un e-mail de connexion vous a été envoyé. Ouvrez-le, puis revenez ici si vous souhaitez utiliser le code qu’il contient.',
    codeOnly: 'Un code vous a été envoyé par e-mail. Saisissez-le ici pour vous connecter.',
    codeElsewhere: 'Un code a été envoyé par e-mail. Saisissez-le dans le navigateur où vous l’avez demandé.',
    code: 'Code reçu par e-mail',
    codeHint: (letters) => `${letters} lettres. Les majuscules, les espaces et les tirets n’ont pas d’importance.`,
    wrong: { text: 'Ce code n’est pas le bon.', next: 'Comparez-le avec l’e-mail le plus récent et réessayez.' },
    triesLeft: (left) => (left === 1 ? 'Encore 1 tentative.' : `Encore ${left} tentatives.`),
    spent: 'Trop de codes incorrects : cet e-mail n’est plus valable.',
    sendNew: (address) => `Envoyer un nouvel e-mail à ${address}`,
    submit: 'Se connecter',
    missing: 'Toujours rien après une minute ? Regardez dans vos courriers indésirables.',
    again: 'Demander un nouvel e-mail',
    otherAddress: 'Utiliser une autre adresse'
  },
  confirm: {
    heading: 'Est-ce bien vous ?',
    lead: (siteName) => `Vous avez ouvert un lien de connexion à ${siteName} pour :`,
    submit: 'Oui, me connecter',
    warning: 'Si vous n’avez pas demandé cet e-mail, fermez cette page. Personne n’a été connecté.'
  },
  errors: {
    Configuration: {
      heading: 'Erreur du serveur',
      text: 'Le serveur n’est pas correctement configuré.',
      next: 'Ce n’est pas de votre faute. Réessayez plus tard ou prévenez les responsables de ce site.',
      action: 'Retour à la connexion'
    },
    AccessDenied: {
      heading: 'Accès refusé',
      text: 'Vous n’avez pas l’autorisation de vous connecter.',
      next: 'Si vous avez un autre compte, essayez avec celui-ci.',
      action: 'Se connecter'
    },
    PermissionRequired: {
      heading: 'Autorisation manquante',
      text: 'Vous n’avez pas l’autorisation nécessaire.',
      next: 'Si vous avez un autre compte avec cette autorisation, utilisez-le.',
      action: 'Utiliser un autre compte'
    },
    Verification: {
      heading: 'Connexion impossible',
      text: 'Ce lien de connexion n’est plus valable. Il a peut-être déjà été utilisé, ou il a expiré.',
      next: 'Connectez-vous à nouveau pour en recevoir un autre.',
      action: 'Se connecter'
    },
    ImpersonationForbidden: {
      heading: 'Pas en tant qu’autre utilisateur',
      text: 'Vous êtes connecté en tant qu’autre utilisateur. Seul cet utilisateur peut faire cela.',
      next: 'Cessez d’agir en tant que cet utilisateur, puis connectez-vous avec votre propre compte.',
      action: 'Retour à la connexion'
    },
    UserSuspended: {
      heading: 'Compte suspendu',
      text: 'Ce compte est suspendu. Vous ne pouvez pas l’utiliser pour vous connecter.',
      next: 'Si vous pensez qu’il s’agit d’une erreur, contactez les responsables de ce site.',
      action: 'Retour à la connexion'
    },
    RateLimited: {
      heading: 'Trop de tentatives',
      text: 'Il y a eu beaucoup de tentatives de connexion en peu de temps. Nous faisons une pause pour protéger les comptes.',
      next: 'Veuillez patienter un peu, puis réessayez.',
      action: 'Retour à la connexion'
    },
    StoreConflict: {
      heading: 'Les données ne concordent pas',
      text: 'Ce site contient déjà d’autres données qui s’y opposent. Rien n’a été enregistré.',
      next: 'Contactez les responsables de ce site.',
      action: 'Retour à la connexion'
    },
    UserReferenced: {
      heading: 'Compte encore utilisé',
      text: 'Ce compte ne peut pas être supprimé, car ce site contient encore des données qui en dépendent. Rien n’a été supprimé ni fermé.',
      next: 'Contactez les responsables de ce site.',
      action: 'Retour à la connexion'
    },
    StoreUnavailable: {
      heading: 'De retour dans un instant',
      text: 'La connexion est impossible pour le moment, car une partie de ce site ne répond pas.',
      next: 'Votre session reste ouverte. Réessayez dans une minute.',
      action: 'Réessayer'
    },
    NotFound: {
      heading: 'Page introuvable',
      text: 'Il n’y a pas de page à cette adresse.',
      next: 'Elle est peut-être mal saisie ou n’existe plus.',
      action: 'Retour à la connexion'
    },
    Default: {
      heading: 'Erreur',
      text: 'Un problème est survenu.',
      next: 'Veuillez réessayer. Si cela se reproduit, prévenez les responsables de ce site.',
      action: 'Se connecter'
    }
  },
  wait: (duration) => `Veuillez patienter ${duration}, puis réessayez.`,
  startAgain: {
    heading: 'Recommençons',
    text: 'Cette connexion a pris trop de temps, ou elle a été commencée dans un autre navigateur. Rien n’a été modifié.'
  },
  otherUser: {
    heading: 'Une session est déjà ouverte',
    user: 'La session ouverte dans ce navigateur est celle de :',
    text: (provider) =>
      `Vous aviez auparavant commencé à vous connecter avec ${provider}. Nous avons interrompu cette connexion pour ne pas mélanger les deux. Continuez ainsi ou recommencez.`,
    stay: 'Continuer ainsi'
  },
  confirmLink: {
    heading: 'Associer ce compte ?',
    user: 'Vous êtes connecté en tant que',
    account: (provider) => `Votre compte ${provider} :`,
    text: (provider) =>
      `Ensuite, toute personne qui peut se connecter à ce compte ${provider} pourra aussi se connecter ici. Continuez uniquement si les deux sont à vous.`,
    submit: 'Associer',
    stay: 'Pas maintenant'
  },
  toSite: (siteName) => `Retour à ${siteName}`,
  usedLink: {
    heading: 'Une session est déjà ouverte',
    user: 'Vous êtes connecté en tant que',
    text: 'Ce lien de connexion a déjà été utilisé ou a expiré. Vous n’en avez plus besoin.',
    submit: 'Continuer'
  },
  welcome: {
    heading: (user) => (user === null ? 'Bienvenue' : `Bienvenue, ${user}`),
    text: (siteName) => `Votre compte ${siteName} est prêt.`,
    submit: 'Continuer'
  },
  mail: {
    subject: (siteName) => `Connexion à ${siteName}`,
    heading: (siteName) => `Connexion à ${siteName}`,
    identifier: 'Vous vous connectez en tant que',
    submit: 'Se connecter',
    link: 'Si le bouton ne fonctionne pas, ouvrez cette adresse dans votre navigateur :',
    code: 'Saisissez ce code sur la page où vous avez demandé cet e-mail :',
    orCode: 'Ou saisissez ce code sur la page où vous avez demandé cet e-mail :',
    expiry: (duration) => `Valable ${duration}, une seule fois.`,
    requested: (details) => `Demandé : ${details}`,
    ignore: 'Si vous n’avez pas demandé cet e-mail, ignorez-le. Sans lui, personne ne peut se connecter.'
  }
}
