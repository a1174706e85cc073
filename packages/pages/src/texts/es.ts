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
    'verify-request': 'Revisa tu correo',
    confirm: 'Confirmar el inicio de sesión',
    error: 'Error',
    'start-again': 'Empezar de nuevo',
    'other-user': 'Sesión ya iniciada',
    'used-link': 'Sesión ya iniciada',
    'confirm-link': 'Conectar cuentas',
    welcome: 'Te damos la bienvenida'
  },
  failed: (title) => `Error: ${title}`,
  reference: (id) => `Referencia: ${id}`,
  support: 'Contactar con el equipo de asistencia',
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
    byCredentials: 'Iniciar sesión con credenciales',
    email: 'Dirección de correo',
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
      text: 'La dirección de correo o la contraseña no son correctas.',
      next: 'Comprueba ambas e inténtalo de nuevo.'
    },
    limited: { text: 'Demasiados intentos.', next: 'O inicia sesión ahora de otra forma.' }
  },
  stepUp: {
    heading: 'Confirma que eres tú',
    lead: 'Para continuar, inicia sesión de nuevo con la misma cuenta.',
    repeat: 'Después, envía el formulario de nuevo.',
    mail: (address) => `Enviar un código a ${address}`,
    none: 'Aquí no hay ninguna forma de confirmarlo.',
    another: 'De otra forma',
    notNow: 'Ahora no',
    wrongPassword: { text: 'La contraseña no es correcta.', next: 'Inténtalo de nuevo.' }
  },
  codes: {},
  problems: {
    Signin: {
      text: 'No se ha podido completar el inicio de sesión.',
      next: 'Inténtalo de nuevo o inicia sesión con otra cuenta.'
    },
    OAuthSignin: {
      text: 'No se ha podido comenzar el inicio de sesión.',
      next: 'Inténtalo de nuevo en un momento o inicia sesión con otra cuenta.'
    },
    OAuthCallback: {
      text: 'No se ha podido aceptar la respuesta del servicio de acceso.',
      next: 'Inténtalo de nuevo o inicia sesión con otra cuenta.'
    },
    OAuthCreateAccount: {
      text: 'No se ha podido crear una cuenta para ti.',
      next: 'Inténtalo de nuevo en un momento o inicia sesión con otra cuenta.'
    },
    EmailCreateAccount: {
      text: 'No se ha podido crear una cuenta con esta dirección de correo.',
      next: 'Inténtalo de nuevo en un momento o usa otra dirección.'
    },
    Callback: {
      text: 'Ha surgido un problema durante el inicio de sesión.',
      next: 'Inténtalo de nuevo o inicia sesión con otra cuenta.'
    },
    OAuthAccountNotLinked: {
      text: 'Esta no es la cuenta que usaste aquí anteriormente.',
      next: 'Para confirmar tu identidad, inicia sesión con la misma cuenta que usaste la primera vez.'
    },
    EmailSignin: {
      text: 'No se ha podido enviar el correo.',
      next: 'Comprueba la dirección e inténtalo de nuevo en un momento.'
    },
    CredentialsSignin: {
      text: 'No se ha podido iniciar sesión.',
      next: 'Comprueba que los datos introducidos son correctos.'
    },
    SessionRequired: {
      text: 'Inicia sesión para acceder a esta página.',
      next: 'Después volverás a ella.'
    },
    UnmetRequirements: {
      text: 'Esta forma de iniciar sesión no confirmó lo suficiente.',
      next: 'Inicia sesión allí de nuevo o usa otra forma.'
    },
    DifferentUser: {
      text: 'Esta cuenta pertenece a otra persona o no es de nadie aquí.',
      next: 'Usa una cuenta de la persona que ha iniciado sesión o cierra la sesión primero.'
    },
    Default: {
      text: 'No se ha podido iniciar sesión.',
      next: 'Inténtalo de nuevo o inicia sesión con otra cuenta.'
    }
  },
  reasons: {
    'session-expired': { text: 'La sesión ha caducado.', next: 'Inicia sesión de nuevo.' },
    'signed-out': {
      text: 'Has cerrado la sesión.',
      next: 'Inicia sesión de nuevo para continuar.'
    },
    invalid: {
      text: 'Introduce una dirección de correo válida.',
      next: 'Comprueba que no tenga errores.'
    },
    'non-ascii': {
      text: 'No se admiten direcciones de correo con letras como ä o é antes de la @.',
      next: 'Usa otra dirección.'
    },
    captcha: {
      text: 'La comprobación de que eres una persona ha fallado.',
      next: 'Inténtalo de nuevo.'
    },
    cancelled: {
      text: 'Has cancelado el inicio de sesión.',
      next: 'No ha cambiado nada. Inicia sesión cuando quieras.'
    },
    expired: { text: 'El inicio de sesión ha tardado demasiado.', next: 'Empieza de nuevo, por favor.' },
    unavailable: {
      text: 'El servicio de acceso no responde en este momento.',
      next: 'Inténtalo de nuevo dentro de unos minutos.'
    },
    misconfigured: {
      text: 'Esta forma de iniciar sesión no está bien configurada.',
      next: 'Avisa a los responsables de este sitio, por favor.'
    }
  },
  signOut: {
    heading: 'Cerrar sesión',
    question: '¿Seguro que quieres cerrar la sesión?',
    submit: 'Cerrar sesión',
    stay: 'Mantener la sesión abierta'
  },
  verifyRequest: {
    heading: 'Revisa tu correo',
    link: 'Te hemos enviado por correo un enlace para iniciar sesión.',
    mail: 'Te hemos enviado un correo para iniciar sesión. Ábrelo y vuelve aquí si prefieres usar el código que contiene.',
    codeOnly: 'Te hemos enviado un código por correo. Introdúcelo aquí para iniciar sesión.',
    codeElsewhere: 'Hemos enviado un código por correo. Introdúcelo en el navegador desde el que lo pediste.',
    code: 'Código del correo',
    codeHint: (letters) => `${letters} letras. No importan las mayúsculas, los espacios ni los guiones.`,
    wrong: { text: 'El código no es correcto.', next: 'Compáralo con el correo más reciente e inténtalo de nuevo.' },
    triesLeft: (left) => (left === 1 ? 'Queda 1 intento.' : `Quedan ${left} intentos.`),
    spent: 'Demasiados códigos incorrectos: este correo ya no es válido.',
    sendNew: (address) => `Enviar un correo nuevo a ${address}`,
    submit: 'Iniciar sesión',
    missing: '¿No ha llegado nada después de un minuto? Mira en la carpeta de correo no deseado.',
    again: 'Pedir un correo nuevo',
    otherAddress: 'Usar otra dirección'
  },
  confirm: {
    heading: '¿Eres tú?',
    lead: (siteName) => `Has abierto un enlace para iniciar sesión en ${siteName} como:`,
    submit: 'Sí, iniciar sesión',
    warning: 'Si no has pedido ese correo, cierra esta página. Nadie ha iniciado sesión.'
  },
  errors: {
    Configuration: {
      heading: 'Error del servidor',
      text: 'Hay un problema con la configuración del servidor.',
      next: 'No es culpa tuya. Inténtalo más tarde o avisa a los responsables de este sitio.',
      action: 'Volver al inicio de sesión'
    },
    AccessDenied: {
      heading: 'Acceso denegado',
      text: 'No tienes permiso para iniciar sesión.',
      next: 'Si tienes otra cuenta, prueba con ella.',
      action: 'Iniciar sesión'
    },
    PermissionRequired: {
      heading: 'Sin permiso',
      text: 'No tienes permiso para esto.',
      next: 'Si tienes otra cuenta con este permiso, úsala.',
      action: 'Usar otra cuenta'
    },
    Verification: {
      heading: 'No se puede iniciar sesión',
      text: 'El enlace ya no es válido. Es posible que ya se haya usado o que haya caducado.',
      next: 'Inicia sesión de nuevo para recibir otro.',
      action: 'Iniciar sesión'
    },
    ImpersonationForbidden: {
      heading: 'No como otro usuario',
      text: 'Has iniciado sesión como otro usuario. Solo ese usuario puede hacer esto.',
      next: 'Deja de actuar como ese usuario y después inicia sesión con tu propia cuenta.',
      action: 'Volver al inicio de sesión'
    },
    UserSuspended: {
      heading: 'Cuenta suspendida',
      text: 'Esta cuenta está suspendida, por lo que no puedes iniciar sesión con ella.',
      next: 'Si crees que se trata de un error, ponte en contacto con los responsables de este sitio.',
      action: 'Volver al inicio de sesión'
    },
    RateLimited: {
      heading: 'Demasiados intentos',
      text: 'Ha habido muchos intentos de inicio de sesión en poco tiempo. Hacemos una pausa para proteger las cuentas.',
      next: 'Espera un rato y vuelve a intentarlo.',
      action: 'Volver al inicio de sesión'
    },
    StoreConflict: {
      heading: 'Los datos no encajan',
      text: 'Este sitio ya guarda otros datos que lo contradicen, por lo que no se ha guardado nada.',
      next: 'Ponte en contacto con los responsables de este sitio.',
      action: 'Volver al inicio de sesión'
    },
    UserReferenced: {
      heading: 'La cuenta aún está en uso',
      text: 'Esta cuenta no se puede eliminar, porque este sitio todavía guarda datos que dependen de ella. No se ha eliminado ni cerrado nada.',
      next: 'Ponte en contacto con los responsables de este sitio.',
      action: 'Volver al inicio de sesión'
    },
    StoreUnavailable: {
      heading: 'Volvemos en un momento',
      text: 'Ahora no es posible iniciar sesión porque una parte de este sitio no responde.',
      next: 'Tu sesión no se ha cerrado. Inténtalo de nuevo dentro de un minuto.',
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
      next: 'Inténtalo de nuevo. Si vuelve a ocurrir, avisa a los responsables de este sitio.',
      action: 'Iniciar sesión'
    }
  },
  wait: (duration) => `Espera ${duration} y vuelve a intentarlo.`,
  startAgain: {
    heading: 'Empecemos de nuevo',
    text: 'Este inicio de sesión ha tardado demasiado o se comenzó en otro navegador. No ha cambiado nada.'
  },
  otherUser: {
    heading: 'Ya has iniciado sesión',
    user: 'En este navegador está abierta ahora la sesión de:',
    text: (provider) =>
      `Antes habías empezado a iniciar sesión con ${provider}. Lo hemos detenido para no mezclar las dos sesiones. Continúa así o empieza de nuevo.`,
    stay: 'Continuar así'
  },
  confirmLink: {
    heading: '¿Conectar esta cuenta?',
    user: 'Has iniciado sesión como',
    account: (provider) => `Tu cuenta de ${provider}:`,
    text: (provider) =>
      `Después, quien pueda entrar en esta cuenta de ${provider} también podrá entrar aquí. Continúa solo si ambas son tuyas.`,
    submit: 'Conectar',
    stay: 'Ahora no'
  },
  toSite: (siteName) => `Volver a ${siteName}`,
  usedLink: {
    heading: 'Ya has iniciado sesión',
    user: 'Has iniciado sesión como',
    text: 'Este enlace ya se ha usado o ha caducado. Ya no lo necesitas.',
    submit: 'Continuar'
  },
  welcome: {
    heading: (user) => (user === null ? 'Te damos la bienvenida' : `Te damos la bienvenida, ${user}`),
    text: (siteName) => `Tu cuenta en ${siteName} está lista.`,
    submit: 'Continuar'
  },
  mail: {
    subject: (siteName) => `Iniciar sesión en ${siteName}`,
    heading: (siteName) => `Iniciar sesión en ${siteName}`,
    identifier: 'Vas a iniciar sesión como',
    submit: 'Iniciar sesión',
    link: 'Si el botón no funciona, abre esta dirección en tu navegador:',
    code: 'Introduce este código en la página donde pediste este correo:',
    orCode: 'O introduce este código en la página donde pediste este correo:',
    expiry: (duration) => `Válido durante ${duration} y una sola vez.`,
    requested: (details) => `Solicitado: ${details}`,
    ignore: 'Si no has pedido este correo, no le hagas caso. Sin él nadie puede iniciar sesión.'
  }
}
