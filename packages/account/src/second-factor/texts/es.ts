import { es as mailedCode } from '../../mail/texts/es.ts'
import type { TextKey } from './en.ts'

export const es = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'es',
  summaryOn: 'Activado',
  toAccount: 'Volver a la cuenta',
  summaryOff: 'Desactivado',
  section: 'Verificación en dos pasos',
  factorsText:
    'Con la verificación en dos pasos, no puede iniciar sesión nadie que solo conozca tu contraseña o que solo lea tu correo.',
  app: 'App de autenticación',
  appAdded: 'Configurada: {date}.',
  appUsed: 'Último uso: {date}.',
  noApp: 'No hay ninguna app de autenticación configurada.',
  start: 'Configurar una app de autenticación',
  remove: 'Eliminar app de autenticación',
  removeText: 'También se eliminan tus códigos de recuperación y se cierra tu sesión en todos los demás sitios.',
  removeAlone: 'Se cierra tu sesión en todos los demás sitios.',
  codesLeft: 'Códigos de recuperación restantes: {left}.',
  codesFew: 'Te quedan pocos códigos de recuperación. Crea otros nuevos.',
  codesMissing: 'No tienes códigos de recuperación. Crea otros nuevos.',
  createCodes: 'Crear nuevos códigos de recuperación',
  createCodesText: 'Los códigos que tienes ahora dejan de funcionar.',
  verify: 'Confirma que eres tú para hacer cambios',
  anyCode: 'Código de la app o código de recuperación',

  enroll: 'Configurar una app de autenticación',
  enrollText: 'Añade esta clave a una app de autenticación en tu teléfono: escanea el código QR o copia la clave.',
  enrollRequired: 'Este sitio exige la verificación en dos pasos.',
  qrCode: 'Código QR para la app de autenticación',
  key: 'Clave para la app',
  code: 'Código de la app',
  codeHint: '{digits} cifras',
  confirm: 'Confirmar',
  confirmAddress: 'Confirma tu dirección de correo',
  mailText: 'Primero pide un código por correo, para que nadie más que tú pueda configurar una app.',

  codes: 'Tus códigos de recuperación',
  codesText:
    'Puedes iniciar sesión con uno de estos códigos en lugar de la app, por ejemplo, si has perdido el teléfono. Cada uno funciona una sola vez. Guárdalos en un lugar seguro: solo se muestran ahora.',
  codesShown:
    'Tus códigos de recuperación ya se mostraron. Si no los guardaste, crea otros nuevos después de iniciar sesión.',
  codesDownload: 'Descargar los códigos',
  codesSaved: 'He guardado los códigos',
  back: 'Verificación en dos pasos',

  challenge: 'Confirma que eres tú',
  challengeText: 'Escribe el código que muestra ahora tu app de autenticación.',
  challengePasskey: 'Usa tu llave de acceso para continuar.',
  challengeOther: 'Usa una llave de acceso o un código de recuperación para continuar.',
  challengeRecovery: 'Usa un código de recuperación para continuar.',
  challengeNone: 'Inicia sesión de otra forma o ponte en contacto con los responsables de este sitio.',
  exhaustedText:
    'Se han escrito muchos códigos incorrectos para tu cuenta, así que también se necesita un código enviado por correo.',
  continue: 'Continuar',
  trust: 'No volver a preguntar en este navegador durante {days}',
  usePasskey: 'Usar una llave de acceso',
  needsScript: 'Las llaves de acceso requieren JavaScript y un navegador compatible.',
  useRecoveryCode: 'Usar un código de recuperación',
  recoveryCode: 'Código de recuperación',
  recoveryHint: 'Diez letras y cifras',

  codeWrong: 'El código es incorrecto, ya se usó o ha caducado. Escribe el que muestra la app ahora.',
  recoveryWrong: 'Este código de recuperación es incorrecto o ya se usó.',
  anyWrong: 'El código es incorrecto o ya se usó.',
  passkeyWrong: 'No se pudo usar la llave de acceso. Inténtalo de nuevo o usa otra forma.',
  passkeyChanged:
    'Esta llave de acceso ha cambiado desde que se añadió. Usa otra forma; después, elimínala y añádela de nuevo.',
  exhausted: 'Se han escrito demasiados códigos incorrectos, así que un código de la app no basta.',
  expired: 'Se ha tardado demasiado. Empieza de nuevo.',
  conflict: 'Otra solicitud cambió la verificación en dos pasos. Inténtalo de nuevo.',
  unverified: 'Para configurar la verificación en dos pasos, verifica antes tu dirección de correo.',

  unavailable: 'No puedes configurar la verificación en dos pasos',
  unavailableText: 'La cuenta con la que has iniciado sesión no se guarda aquí.',
  signIn: 'Iniciar sesión',

  step: 'Paso {step} de 3',
  openApp: 'Abrir en tu app de autenticación',
  copy: 'Copiar',
  copied: 'Copiado',
  goBack: 'Volver',
  codesPrint: 'Imprimir',
  anotherAccount: 'Usar otra cuenta',
  lost: 'He perdido el teléfono y los códigos',
  lostTitle: '¿Has perdido el teléfono y los códigos?',
  lostFactor: '¿Has perdido el teléfono o la llave de acceso?',
  lostText: 'Busca primero los códigos de recuperación: en el archivo {file}, en papel o en tu gestor de contraseñas.',
  lostHelp:
    'Si no los encuentras, ponte en contacto con los responsables de este sitio. Cuando hayan comprobado que eres tú, pueden desactivar la verificación en dos pasos de tu cuenta.',
  lostContact:
    'Ponte en contacto con los responsables de este sitio. Cuando hayan comprobado que eres tú, pueden desactivar la verificación en dos pasos de tu cuenta.',
  support: 'Contactar con el equipo de asistencia',
  recoveryCodes: 'Códigos de recuperación',
  recoveryText:
    'Con un código de recuperación puedes iniciar sesión si has perdido el teléfono. Cada uno funciona una sola vez.',
  noCodes: 'Todavía no tienes códigos de recuperación.',
  passkeys: 'Llaves de acceso',
  passkeysNotAsked:
    'Sin una app de autenticación, no se te pide la llave de acceso cuando inicias sesión de otra forma. Configura una app para activar la verificación en dos pasos.',

  mailCodeSubject: 'Tu código para {site}',
  mailCodeText:
    'Alguien está iniciando sesión en tu cuenta en {site} o configurando para ella una app de autenticación o una llave de acceso. Para continuar se necesita este código:\n{code}\nSi no eres tú, no des el código a nadie y cambia lo que usas para iniciar sesión.',
  mailAddedSubject: 'Se activó la verificación en dos pasos de tu cuenta en {site}',
  mailAddedText:
    'Se configuró una app de autenticación para tu cuenta en {site} el {time}, desde la dirección {client}.\nSi no fuiste tú, ponte en contacto ahora con el equipo de asistencia de {site}.',
  mailRemovedSubject: 'Se desactivó la verificación en dos pasos de tu cuenta en {site}',
  mailRemovedText:
    'La app de autenticación y los códigos de recuperación se eliminaron de tu cuenta en {site} el {time}, desde la dirección {client}.\nSi no fuiste tú, inicia sesión y configura ahora una app de autenticación.',
  mailAppRemovedSubject: 'La app de autenticación se eliminó de tu cuenta en {site}',
  mailAppRemovedText:
    'La app de autenticación se eliminó de tu cuenta en {site} el {time}, desde la dirección {client}.\nSi no fuiste tú, inicia sesión y configura ahora una app de autenticación.',
  mailUsedSubject: 'Se usó un código de recuperación de tu cuenta en {site}',
  mailUsedText:
    'Se usó un código de recuperación de tu cuenta en {site} el {time}, desde la dirección {client}. Códigos de recuperación restantes: {left}.\nSi no fuiste tú, inicia sesión, cambia lo que usas para iniciar sesión y crea nuevos códigos de recuperación.',
  mailRenewedSubject: 'Se crearon nuevos códigos de recuperación para tu cuenta en {site}',
  mailRenewedText:
    'Se crearon nuevos códigos de recuperación para tu cuenta en {site} el {time}, desde la dirección {client}. Los anteriores ya no funcionan.\nSi no fuiste tú, inicia sesión, cambia lo que usas para iniciar sesión y crea nuevos códigos de recuperación.',
  mailResetSubject: 'Se restableció la verificación en dos pasos de tu cuenta en {site}',
  mailResetText:
    'El equipo de asistencia de {site} eliminó la app de autenticación y los códigos de recuperación de tu cuenta el {time}. Se ha cerrado tu sesión en todas partes.\nSi no lo pediste, ponte en contacto ahora con el equipo de asistencia.',
  mailButton: 'Revisar la verificación en dos pasos'
})
