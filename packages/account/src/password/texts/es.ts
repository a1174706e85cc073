import type { TextKey } from './en.ts'

export const es = (): Readonly<Record<TextKey, string>> => ({
  name: 'Contraseña',
  email: 'Dirección de correo',
  password: 'Contraseña',
  newPassword: 'Nueva contraseña',
  currentPassword: 'Contraseña actual',
  code: 'Código',
  signIn: 'Iniciar sesión',
  createAccount: 'Crear cuenta',
  remember: 'Mantener la sesión iniciada',
  forgotPassword: '¿Olvidaste tu contraseña?',
  summarySet: 'Configurada',
  toAccount: 'Volver a la cuenta',
  summaryNone: 'No configurada',
  section: 'Contraseña',

  signUpText: 'Recibirás un correo para confirmar tu dirección. Después se crea la cuenta.',
  passwordHint: 'Al menos {minLength} caracteres. Una frase es fácil de recordar.',
  strengthShort: 'Demasiado corta',
  strengthFair: 'Contraseña aceptable: una más larga es mejor.',
  strengthGood: 'Buena contraseña.',
  strengthStrong: 'Contraseña segura.',
  continue: 'Continuar',

  checkMail: 'Revisa tu correo',
  checkMailText: 'Un correo va en camino a esta dirección. Abre su enlace o escribe aquí el código que contiene.',
  checkMailReset: 'Un correo va en camino a esta dirección. Abre su enlace para continuar.',
  startAgain: 'Empezar de nuevo',

  confirm: 'Confirma tu dirección de correo',
  confirmText: 'Se crea tu cuenta con esta dirección y se inicia la sesión.',
  confirmExisting: 'Se inicia sesión en tu cuenta con esta dirección.',
  confirmUnused:
    'Ya existe una cuenta con esta dirección. Se inicia sesión en ella y la contraseña que elegiste no se usa.',
  choose: 'Elige una contraseña',
  chooseText: 'El registro no se hizo en este navegador. Elige la contraseña de tu nueva cuenta.',
  confirmSubmit: 'Confirmar e iniciar sesión',

  forgot: '¿Olvidaste tu contraseña?',
  forgotText: 'Escribe tu dirección de correo. Recibirás un enlace para elegir una nueva contraseña.',
  reset: 'Elige una nueva contraseña',
  resetText: 'Se cerrará tu sesión en todos los dispositivos. Después podrás iniciar sesión con la nueva contraseña.',
  save: 'Guardar contraseña',

  change: 'Cambiar contraseña',
  changeText: 'Tu sesión sigue abierta aquí y se cierra en todos los demás sitios.',
  set: 'Establecer una contraseña',
  setText: 'Entonces también podrás iniciar sesión con tu dirección de correo y esta contraseña.',
  unavailable: 'No puedes establecer una contraseña',
  unavailableText: 'Una contraseña requiere una dirección de correo verificada.',
  changed: 'Tu contraseña se ha cambiado',
  changedText: 'Usa la nueva contraseña a partir de ahora.',
  toSite: 'Continuar',

  gone: 'Este enlace ya no funciona',
  goneText: 'Se usó, ha caducado o algo ha cambiado desde entonces. Pide uno nuevo.',
  used: 'Ya está hecho',
  usedText: 'Este enlace ya se ha usado. Ya no lo necesitas.',

  emailLetters: 'No se admiten direcciones de correo con letras como ä o é antes de la @.',
  emailInvalid: 'Escribe una dirección de correo, como ada@example.com.',
  codeWrong: 'Este código es incorrecto. Mira el último correo.',
  characters: 'La contraseña contiene un carácter que no se puede usar.',
  tooShort: 'Usa al menos {minLength} caracteres.',
  tooLong: 'Usa como máximo 256 caracteres.',
  tooCommon: 'Muchas personas usan esta contraseña. Elige otra.',
  isAddress: 'No uses tu dirección ni el nombre del sitio como contraseña.',
  breached: 'Esta contraseña se conoce por una filtración de datos. Elige otra.',
  currentWrong: 'Esta no es tu contraseña actual.',
  conflict: 'Otra solicitud cambió la contraseña. Inténtalo de nuevo.',

  mailSignUpSubject: 'Confirma tu dirección de correo para {site}',
  mailSignUpText:
    'Alguien se registró en {site} con esta dirección.\nConfirma la dirección en el plazo de una hora para crear la cuenta. En el navegador del registro también puedes escribir este código:\n{code}\nSi no fuiste tú, ignora este correo. No se crea ninguna cuenta.',
  mailSignUpButton: 'Confirmar la dirección de correo',
  mailExistsSubject: 'Ya tienes una cuenta en {site}',
  mailExistsText:
    'Alguien se registró en {site} con esta dirección, que ya tiene una cuenta.\nInicia sesión o elige una nueva contraseña si olvidaste la tuya.\nSi no fuiste tú, ignora este correo. No se ha cambiado nada.',
  mailExistsButton: 'Iniciar sesión',
  mailResetSubject: 'Elige una nueva contraseña para {site}',
  mailResetText:
    'Alguien pidió una nueva contraseña para tu cuenta en {site}.\nElígela en el plazo de una hora. Después se cerrará tu sesión en todos los dispositivos.\nSi no fuiste tú, ignora este correo. Tu contraseña no cambia.',
  mailResetButton: 'Elegir una nueva contraseña',
  mailConfirmSubject: 'Iniciar sesión en {site}',
  mailConfirmText:
    'Alguien pidió una nueva contraseña para {site}. La dirección de esta cuenta aún no está verificada.\nConfírmala en el plazo de una hora para iniciar sesión. Después podrás establecer una contraseña.\nSi no fuiste tú, ignora este correo.',
  mailConfirmButton: 'Confirmar la dirección de correo',
  mailUnknownSubject: 'No hay ninguna cuenta en {site}',
  mailUnknownText:
    'Alguien pidió una nueva contraseña para {site}, pero no hay ninguna cuenta con esta dirección.\nQuizá te registraste con otra.\nSi no fuiste tú, ignora este correo.',
  mailUnknownButton: 'Crear cuenta',
  mailChangedSubject: 'Tu contraseña de {site} se ha cambiado',
  mailChangedText:
    'La contraseña de tu cuenta en {site} se cambió el {time}, desde la dirección {client}.\nSi no fuiste tú, elige ahora una nueva contraseña. Así se cierra la sesión de todos los demás.',
  mailChangedButton: 'Elegir una nueva contraseña'
})
