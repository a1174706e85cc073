import { durations } from './duration.ts'
import type { Texts } from './texts.ts'

/** Spanish. */
export const es: Texts = {
  lang: 'es',
  dir: 'ltr',
  unread: 'all',
  titles: {
    signin: 'Iniciar sesión',
    signout: 'Cerrar sesión',
    'verify-request': 'Revise su correo',
    confirm: 'Confirmar el inicio de sesión',
    error: 'Error',
    'start-again': 'Empezar de nuevo',
    'other-user': 'Sesión ya iniciada',
    'used-link': 'Sesión ya iniciada',
    'confirm-link': 'Conectar cuentas',
    welcome: 'Le damos la bienvenida'
  },
  failed: (title) => `Error: ${title}`,
  reference: (id) => `Referencia: ${id}`,
  duration: durations('es', {
    second: { one: '# segundo', other: '# segundos' },
    minute: { one: '# minuto', other: '# minutos' },
    hour: { one: '# hora', other: '# horas' },
    day: { one: '# día', other: '# días' }
  }),
  signIn: {
    heading: 'Iniciar sesión',
    lead: (siteName) => `para continuar en ${siteName}`,
    submit: (provider) => `Iniciar sesión con ${provider}`,
    byEmail: 'Recibir un enlace de acceso por correo',
    byEmailInstead: 'Prefiero recibir un enlace por correo',
    byCode: 'Recibir un código de acceso por correo',
    byCodeInstead: 'Prefiero recibir un código por correo',
    byCredentials: 'Iniciar sesión con sus credenciales',
    email: 'Correo electrónico',
    emailExample: 'nombre@example.com',
    or: 'o',
    none: 'Aquí todavía no hay ninguna forma de iniciar sesión.',
    next: 'Continuar',
    newHere: '¿Primera vez aquí?',
    lastUsed: 'Último uso',
    showPassword: 'Mostrar contraseña',
    more: 'Más formas de iniciar sesión',
    continueAs: (user) => `Continuar como ${user}`,
    anotherAccount: 'Usar otra cuenta',
    wrongPassword: {
      text: 'El correo o la contraseña no son correctos.',
      next: 'Compruebe ambos e inténtelo de nuevo.'
    },
    limited: { text: 'Demasiados intentos.', next: 'O inicie sesión ahora de otra forma.' }
  },
  stepUp: {
    heading: 'Confirme que es usted',
    lead: 'Para continuar, inicie sesión de nuevo con la misma cuenta.',
    repeat: 'Después, envíe el formulario de nuevo.',
    mail: (address) => `Enviar un código a ${address}`,
    none: 'Aquí no hay ninguna forma de confirmarlo.'
  },
  codes: {},
  problems: {
    Signin: {
      text: 'No se ha podido completar el inicio de sesión.',
      next: 'Inténtelo de nuevo o inicie sesión con otra cuenta.'
    },
    OAuthSignin: {
      text: 'No se ha podido comenzar el inicio de sesión.',
      next: 'Inténtelo de nuevo en un momento o inicie sesión con otra cuenta.'
    },
    OAuthCallback: {
      text: 'No se ha podido aceptar la respuesta del servicio de acceso.',
      next: 'Inténtelo de nuevo o inicie sesión con otra cuenta.'
    },
    OAuthCreateAccount: {
      text: 'No se ha podido crear una cuenta para usted.',
      next: 'Inténtelo de nuevo en un momento o inicie sesión con otra cuenta.'
    },
    EmailCreateAccount: {
      text: 'No se ha podido crear una cuenta con esta dirección de correo.',
      next: 'Inténtelo de nuevo en un momento o use otra dirección.'
    },
    Callback: {
      text: 'Ha surgido un problema durante el inicio de sesión.',
      next: 'Inténtelo de nuevo o inicie sesión con otra cuenta.'
    },
    OAuthAccountNotLinked: {
      text: 'Esta no es la cuenta que usó aquí anteriormente.',
      next: 'Para confirmar su identidad, inicie sesión con la misma cuenta que usó la primera vez.'
    },
    EmailSignin: {
      text: 'No se ha podido enviar el correo.',
      next: 'Compruebe la dirección e inténtelo de nuevo en un momento.'
    },
    CredentialsSignin: {
      text: 'No se ha podido iniciar sesión.',
      next: 'Compruebe que los datos introducidos son correctos.'
    },
    SessionRequired: {
      text: 'Inicie sesión para acceder a esta página.',
      next: 'Después volverá a ella.'
    },
    UnmetRequirements: {
      text: 'Esta forma de iniciar sesión no confirmó lo suficiente.',
      next: 'Inicie sesión allí de nuevo o use otra forma.'
    },
    DifferentUser: {
      text: 'Esta cuenta pertenece a otra persona o no es de nadie aquí.',
      next: 'Use una cuenta de la persona que ha iniciado sesión o cierre la sesión primero.'
    },
    Default: {
      text: 'No se ha podido iniciar sesión.',
      next: 'Inténtelo de nuevo o inicie sesión con otra cuenta.'
    }
  },
  reasons: {
    'session-expired': { text: 'La sesión ha caducado.', next: 'Inicie sesión de nuevo.' },
    'signed-out': {
      text: 'Ha cerrado la sesión.',
      next: 'Inicie sesión de nuevo para continuar.'
    },
    invalid: {
      text: 'Introduzca una dirección de correo válida.',
      next: 'Compruebe que no tenga errores.'
    },
    cancelled: {
      text: 'Ha cancelado el inicio de sesión.',
      next: 'No ha cambiado nada. Inicie sesión cuando quiera.'
    },
    expired: { text: 'El inicio de sesión ha tardado demasiado.', next: 'Empiece de nuevo, por favor.' },
    unavailable: {
      text: 'El servicio de acceso no responde en este momento.',
      next: 'Inténtelo de nuevo dentro de unos minutos.'
    },
    misconfigured: {
      text: 'Esta forma de iniciar sesión no está bien configurada.',
      next: 'Avise a los responsables de este sitio, por favor.'
    }
  },
  signOut: {
    heading: 'Cerrar sesión',
    question: '¿Seguro que quiere cerrar la sesión?',
    submit: 'Cerrar sesión',
    stay: 'Mantener la sesión abierta'
  },
  verifyRequest: {
    heading: 'Revise su correo',
    link: 'Le hemos enviado por correo un enlace para iniciar sesión.',
    mail: 'Le hemos enviado un correo para iniciar sesión. Ábralo y vuelva aquí si prefiere usar el código que contiene.',
    codeOnly: 'Le hemos enviado un código por correo. Introdúzcalo aquí para iniciar sesión.',
    codeElsewhere: 'Hemos enviado un código por correo. Introdúzcalo en el navegador desde el que lo pidió.',
    code: 'Código del correo',
    codeHint: (letters) => `${letters} letras. No importan las mayúsculas, los espacios ni los guiones.`,
    wrong: { text: 'El código no es correcto.', next: 'Compárelo con el correo más reciente e inténtelo de nuevo.' },
    triesLeft: (left) => (left === 1 ? 'Queda 1 intento.' : `Quedan ${left} intentos.`),
    spent: 'Demasiados códigos incorrectos: este correo ya no es válido.',
    sendNew: (address) => `Enviar un correo nuevo a ${address}`,
    submit: 'Iniciar sesión',
    missing: '¿No ha llegado nada después de un minuto? Mire en la carpeta de correo no deseado.',
    again: 'Pedir un correo nuevo',
    otherAddress: 'Usar otra dirección'
  },
  confirm: {
    heading: '¿Es usted?',
    lead: (siteName) => `Ha abierto un enlace para iniciar sesión en ${siteName} como:`,
    submit: 'Sí, iniciar sesión',
    warning: 'Si no ha pedido ese correo, cierre esta página. Nadie ha iniciado sesión.'
  },
  errors: {
    Configuration: {
      heading: 'Error del servidor',
      text: 'Hay un problema con la configuración del servidor.',
      next: 'No es culpa suya. Inténtelo más tarde o avise a los responsables de este sitio.',
      action: 'Volver al inicio de sesión'
    },
    AccessDenied: {
      heading: 'Acceso denegado',
      text: 'No tiene permiso para iniciar sesión.',
      next: 'Si tiene otra cuenta, pruebe con ella.',
      action: 'Iniciar sesión'
    },
    Verification: {
      heading: 'No se puede iniciar sesión',
      text: 'El enlace ya no es válido. Es posible que ya se haya usado o que haya caducado.',
      next: 'Inicie sesión de nuevo para recibir otro.',
      action: 'Iniciar sesión'
    },
    ImpersonationForbidden: {
      heading: 'No como otro usuario',
      text: 'Ha iniciado sesión como otro usuario. Solo ese usuario puede hacer esto.',
      next: 'Deje de actuar como ese usuario y después inicie sesión con su propia cuenta.',
      action: 'Volver al inicio de sesión'
    },
    UserSuspended: {
      heading: 'Cuenta suspendida',
      text: 'Esta cuenta está suspendida, por lo que no puede iniciar sesión con ella.',
      next: 'Si cree que se trata de un error, póngase en contacto con los responsables de este sitio.',
      action: 'Volver al inicio de sesión'
    },
    RateLimited: {
      heading: 'Demasiados intentos',
      text: 'Ha habido muchos intentos de inicio de sesión en poco tiempo. Hacemos una pausa para proteger las cuentas.',
      next: 'Espere un rato y vuelva a intentarlo.',
      action: 'Volver al inicio de sesión'
    },
    StoreUnavailable: {
      heading: 'Volvemos en un momento',
      text: 'Ahora no es posible iniciar sesión porque una parte de este sitio no responde.',
      next: 'Su sesión no se ha cerrado. Inténtelo de nuevo dentro de un minuto.',
      action: 'Intentar de nuevo'
    },
    NotFound: {
      heading: 'Página no encontrada',
      text: 'No hay ninguna página en esta dirección.',
      next: 'Es posible que esté mal escrita o que ya no exista.',
      action: 'Volver al inicio de sesión'
    },
    Default: {
      heading: 'Error',
      text: 'Ha surgido un problema.',
      next: 'Inténtelo de nuevo. Si vuelve a ocurrir, avise a los responsables de este sitio.',
      action: 'Iniciar sesión'
    }
  },
  wait: (duration) => `Espere ${duration} y vuelva a intentarlo.`,
  startAgain: {
    heading: 'Empecemos de nuevo',
    text: 'Este inicio de sesión ha tardado demasiado o se comenzó en otro navegador. No ha cambiado nada.'
  },
  otherUser: {
    heading: 'Ya ha iniciado sesión',
    user: 'En este navegador está abierta ahora la sesión de:',
    text: (provider) =>
      `Antes había empezado a iniciar sesión con ${provider}. Lo hemos detenido para no mezclar las dos sesiones. Continúe así o empiece de nuevo.`,
    stay: 'Continuar así'
  },
  confirmLink: {
    heading: '¿Conectar esta cuenta?',
    user: 'Ha iniciado sesión como',
    account: (provider) => `Su cuenta de ${provider}:`,
    text: (provider) =>
      `Después, quien pueda entrar en esta cuenta de ${provider} también podrá entrar aquí. Continúe solo si ambas son suyas.`,
    submit: 'Conectar',
    stay: 'Ahora no'
  },
  usedLink: {
    heading: 'Ya ha iniciado sesión',
    user: 'Ha iniciado sesión como',
    text: 'Este enlace ya se ha usado o ha caducado. Ya no lo necesita.',
    submit: 'Continuar'
  },
  welcome: {
    heading: (user) => (user === null ? 'Le damos la bienvenida' : `Le damos la bienvenida, ${user}`),
    text: (siteName) => `Su cuenta en ${siteName} está lista.`,
    submit: 'Continuar'
  },
  mail: {
    subject: (siteName) => `Iniciar sesión en ${siteName}`,
    heading: (siteName) => `Iniciar sesión en ${siteName}`,
    identifier: 'Va a iniciar sesión como',
    submit: 'Iniciar sesión',
    link: 'Si el botón no funciona, abra esta dirección en su navegador:',
    code: 'Introduzca este código en la página donde pidió este correo:',
    orCode: 'O introduzca este código en la página donde pidió este correo:',
    expiry: (duration) => `Válido durante ${duration} y una sola vez.`,
    requested: (details) => `Solicitado: ${details}`,
    ignore: 'Si no ha pedido este correo, no le haga caso. Sin él nadie puede iniciar sesión.'
  }
}
