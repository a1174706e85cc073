import { es as mailedCode } from '../../mail/texts/es.ts'
import type { TextKey } from './en.ts'

export const es = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'es',
  name: 'Llave de acceso',
  signIn: 'Iniciar sesión con una llave de acceso',
  signInText: 'Tu dispositivo te pide la huella digital, el rostro o su bloqueo de pantalla.',
  needsScript: 'Las llaves de acceso requieren JavaScript y un navegador compatible.',
  otherWays: 'Otras formas de iniciar sesión',
  noneHere: '¿No hay ninguna llave de acceso aquí? Usa tu teléfono u otra forma.',
  usePhone: 'Usar tu teléfono',
  offer: 'Inicia sesión más rápido la próxima vez',
  offerText:
    'Crea una llave de acceso e inicia sesión con tu huella digital, tu rostro o el bloqueo de pantalla de tu dispositivo.',
  notNow: 'Ahora no',
  neverAsk: 'No volver a preguntar',

  summary: '{names}',
  toAccount: 'Volver a la cuenta',
  summaryNone: 'Ninguna llave de acceso',
  passkeys: 'Llaves de acceso',
  passkeysText:
    'Inicia sesión con tu huella digital, tu rostro o el bloqueo de pantalla de tu dispositivo en lugar de una contraseña.',
  synced: 'Disponible en varios dispositivos.',
  local: 'En un solo dispositivo.',
  createdAt: 'Añadida el {date}.',
  usedAt: 'Último uso: {date}.',
  add: 'Añadir una llave de acceso',
  verify: 'Confirma que eres tú para hacer cambios',
  notCreated: 'No se creó ninguna llave de acceso: cancelaste o se tardó demasiado.',
  existsText: 'Este dispositivo ya tiene una llave de acceso para tu cuenta.',
  existsNext: 'Puedes iniciar sesión con ella.',
  expired: 'Se ha tardado demasiado. Inténtalo de nuevo.',
  failed: 'No se pudo añadir la llave de acceso. Las llaves de acceso requieren JavaScript y un navegador compatible.',
  exists: 'Esta llave de acceso ya se había añadido.',
  tooMany: 'Has alcanzado el número máximo de llaves de acceso. Elimina una para añadir otra.',
  unverified: 'Para añadir una llave de acceso, verifica antes tu dirección de correo.',
  mailText:
    'Para que la llave de acceso sirva también para la verificación en dos pasos, pide primero un código por correo. Sin el código, solo es una forma de iniciar sesión.',

  label: 'Nombre',
  save: 'Guardar nombre',
  remove: 'Eliminar llave de acceso',
  removeText: 'Se cerrará tu sesión en todos los demás sitios. Elimina la llave de acceso también en tu dispositivo.',
  nameMissing: 'Escribe un nombre.',
  conflict: 'Otra solicitud cambió la llave de acceso. Inténtalo de nuevo.',
  lastWayIn: 'Esta es tu única forma de iniciar sesión. Añade otra antes de eliminarla.',
  back: 'Todas las llaves de acceso',
  unavailable: 'No puedes tener llaves de acceso',
  unavailableText: 'La cuenta con la que has iniciado sesión no se guarda aquí.',

  unknownText: 'Esta llave de acceso no se conoce aquí.',
  unknownNext: 'Puede que se haya eliminado. Usa otra o inicia sesión de otra forma.',
  changedText: 'Esta llave de acceso ha cambiado desde que se añadió.',
  changedNext: 'Inicia sesión de otra forma, elimínala y añádela de nuevo.',
  expiredText: 'El inicio de sesión con la llave de acceso tardó demasiado.',
  expiredNext: 'Inténtalo de nuevo.',

  createAccount: 'Crear cuenta con una llave de acceso',
  signUpText: 'Recibirás un correo para confirmar tu dirección. Después se crea la cuenta.',
  email: 'Dirección de correo',
  createPasskey: 'Crear llave de acceso',
  toSignIn: 'Iniciar sesión',

  checkMail: 'Revisa tu correo',
  checkMailText: 'Un correo va en camino a esta dirección. Abre su enlace o escribe aquí el código que contiene.',
  code: 'Código',
  continue: 'Continuar',
  startAgain: 'Empezar de nuevo',
  emailLetters: 'No se admiten direcciones de correo con letras como ä o é antes de la @.',
  emailInvalid: 'Escribe una dirección de correo, como ada@example.com.',
  codeWrong: 'Este código es incorrecto. Mira el último correo.',

  confirm: 'Confirma tu dirección de correo',
  confirmText: 'Se crea tu cuenta con esta dirección y se inicia la sesión.',
  confirmUnused:
    'Ya existe una cuenta con esta dirección. Se inicia sesión en ella y la llave de acceso que creaste no se usa.',
  confirmSubmit: 'Confirmar e iniciar sesión',
  createText:
    'El registro no se hizo en este navegador. Crea aquí la llave de acceso de tu nueva cuenta o escribe el código del correo en el navegador del registro.',
  gone: 'Este enlace ya no funciona',
  goneText: 'Se usó, ha caducado o algo ha cambiado desde entonces. Pide uno nuevo.',
  used: 'Ya está hecho',
  usedText: 'Este enlace ya se ha usado. Ya no lo necesitas.',

  mailAddedSubject: 'Se añadió una llave de acceso a tu cuenta en {site}',
  mailAddedText:
    'La llave de acceso «{passkey}» se añadió a tu cuenta en {site} el {time}, desde la dirección {client}.\nSi no fuiste tú, elimínala ahora. Así se cierra la sesión de todos los demás.',
  mailRemovedSubject: 'Se eliminó una llave de acceso de tu cuenta en {site}',
  mailRemovedText:
    'La llave de acceso «{passkey}» se eliminó de tu cuenta en {site} el {time}, desde la dirección {client}.\nSi no fuiste tú, inicia sesión y revisa las formas de iniciar sesión en tu cuenta.',
  mailCopiedSubject: 'Es posible que se haya copiado una llave de acceso de {site}',
  mailCopiedText:
    'Alguien intentó iniciar sesión en {site} con la llave de acceso «{passkey}» el {time}, desde la dirección {client}. Su contador indica que puede haber una copia, así que se rechazó el inicio de sesión.\nElimina esta llave de acceso y añade una nueva.',
  mailButton: 'Revisar llaves de acceso',

  mailSignUpSubject: 'Confirma tu dirección de correo para {site}',
  mailSignUpText:
    'Alguien se registró en {site} con esta dirección.\nConfirma la dirección en el plazo de una hora para crear la cuenta. En el navegador del registro también puedes escribir este código:\n{code}\nSi no fuiste tú, ignora este correo. No se crea ninguna cuenta.',
  mailSignUpButton: 'Confirmar la dirección de correo',
  mailExistsSubject: 'Ya tienes una cuenta en {site}',
  mailExistsText:
    'Alguien se registró en {site} con esta dirección, que ya tiene una cuenta.\nInicia sesión como lo hacías antes.\nSi no fuiste tú, ignora este correo. No se ha cambiado nada.',
  mailExistsButton: 'Iniciar sesión'
})
