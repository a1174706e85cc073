import type { TextKey } from './en.ts'

export const es: Readonly<Record<TextKey, string>> = {
  locale: 'es',
  name: 'Llave de acceso',
  signIn: 'Iniciar sesión con una llave de acceso',
  signInText: 'Tu dispositivo te pide la huella digital, el rostro o su bloqueo de pantalla.',
  needsScript: 'Las llaves de acceso requieren JavaScript y un navegador compatible.',
  otherWays: 'Otras formas de iniciar sesión',
  cancelled: 'No se usó ninguna llave de acceso. Inténtalo de nuevo o inicia sesión de otra forma.',

  passkeys: 'Llaves de acceso',
  passkeysText:
    'Inicia sesión con tu huella digital, tu rostro o el bloqueo de pantalla de tu dispositivo en lugar de una contraseña.',
  synced: 'Disponible en varios dispositivos.',
  local: 'En un solo dispositivo.',
  createdAt: 'Añadida el {date}.',
  usedAt: 'Último uso: {date}.',
  add: 'Añadir una llave de acceso',
  verify: 'Confirma que eres tú para hacer cambios',
  notCreated: 'No se añadió ninguna llave de acceso. Quizá este dispositivo ya tiene una para tu cuenta.',
  expired: 'Se ha tardado demasiado. Inténtalo de nuevo.',
  failed: 'No se pudo añadir la llave de acceso. Las llaves de acceso requieren JavaScript y un navegador compatible.',
  exists: 'Esta llave de acceso ya se había añadido.',
  tooMany: 'Has alcanzado el número máximo de llaves de acceso. Elimina una para añadir otra.',
  unverified: 'Para añadir una llave de acceso, verifica antes tu correo electrónico: inicia sesión por correo.',

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
  failedText: 'No se pudo usar la llave de acceso.',
  failedNext: 'Inténtalo de nuevo o inicia sesión de otra forma. Las llaves de acceso requieren JavaScript.',
  expiredText: 'El inicio de sesión con la llave de acceso tardó demasiado.',
  expiredNext: 'Inténtalo de nuevo.',

  mailAddedSubject: 'Se añadió una llave de acceso a tu cuenta en {site}',
  mailAddedText:
    'La llave de acceso «{passkey}» se añadió a tu cuenta en {site} el {time}, desde la dirección {client}.\nSi no fuiste tú, elimínala ahora. Así se cierra la sesión de todos los demás.',
  mailRemovedSubject: 'Se eliminó una llave de acceso de tu cuenta en {site}',
  mailRemovedText:
    'La llave de acceso «{passkey}» se eliminó de tu cuenta en {site} el {time}, desde la dirección {client}.\nSi no fuiste tú, inicia sesión y revisa las formas de iniciar sesión en tu cuenta.',
  mailCopiedSubject: 'Es posible que se haya copiado una llave de acceso de {site}',
  mailCopiedText:
    'Alguien intentó iniciar sesión en {site} con la llave de acceso «{passkey}» el {time}, desde la dirección {client}. Su contador indica que puede haber una copia, así que se rechazó el inicio de sesión.\nElimina esta llave de acceso y añade una nueva.',
  mailButton: 'Revisar llaves de acceso'
}
