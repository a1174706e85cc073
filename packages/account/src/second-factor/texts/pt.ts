import { pt as mailedCode } from '../../mail/texts/pt.ts'
import type { TextKey } from './en.ts'

export const pt = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'pt',
  summaryOn: 'Ativada',
  toAccount: 'Voltar à conta',
  summaryOff: 'Desativada',
  section: 'Verificação em dois passos',
  factorsText:
    'Com a verificação em dois passos, ninguém que apenas saiba a sua palavra-passe, ou apenas leia os seus e-mails, consegue entrar.',
  app: 'Aplicação de autenticação',
  appAdded: 'Configurada em {date}.',
  appUsed: 'Usada pela última vez em {date}.',
  noApp: 'Nenhuma aplicação de autenticação está configurada.',
  start: 'Configurar uma aplicação de autenticação',
  remove: 'Remover aplicação de autenticação',
  removeText:
    'Os seus códigos de recuperação também são removidos, e a sua sessão será terminada em todos os outros locais.',
  removeAlone: 'A sua sessão será terminada em todos os outros locais.',
  codesLeft: 'Códigos de recuperação restantes: {left}.',
  codesFew: 'Tem poucos códigos de recuperação. Crie novos.',
  codesMissing: 'Não tem códigos de recuperação. Crie novos.',
  createCodes: 'Criar novos códigos de recuperação',
  createCodesText: 'Os códigos que tem agora deixam de funcionar.',
  verify: 'Confirme a sua identidade para fazer alterações',
  anyCode: 'Código da aplicação ou código de recuperação',

  enroll: 'Configurar uma aplicação de autenticação',
  enrollText:
    'Adicione esta chave a uma aplicação de autenticação no seu telemóvel: leia o código QR ou copie a chave.',
  enrollRequired: 'Este site exige a verificação em dois passos.',
  qrCode: 'Código QR para a aplicação de autenticação',
  key: 'Chave para a aplicação',
  code: 'Código da aplicação',
  codeHint: '{digits} dígitos',
  confirm: 'Confirmar',
  confirmAddress: 'Confirme o seu endereço de e-mail',
  mailText: 'Primeiro, receba um código por e-mail, para que mais ninguém possa configurar uma aplicação.',

  codes: 'Os seus códigos de recuperação',
  codesText:
    'Pode entrar com um destes códigos em vez da aplicação, por exemplo, se perder o telemóvel. Cada um funciona uma única vez. Guarde-os num lugar seguro: só são apresentados agora.',
  codesShown: 'Os seus códigos de recuperação já foram apresentados. Se não os guardou, crie novos depois de entrar.',
  codesDownload: 'Transferir os códigos',
  codesSaved: 'Guardei os códigos',
  back: 'Verificação em dois passos',

  challenge: 'Confirme a sua identidade',
  challengeText: 'Introduza o código que a sua aplicação de autenticação apresenta agora.',
  challengePasskey: 'Use a sua chave de acesso para continuar.',
  challengeOther: 'Use uma chave de acesso ou um código de recuperação para continuar.',
  challengeRecovery: 'Use um código de recuperação para continuar.',
  challengeNone: 'Entre de outra forma ou contacte os responsáveis por este site.',
  exhaustedText:
    'Foram introduzidos muitos códigos errados para a sua conta, por isso também é necessário um código enviado por e-mail.',
  continue: 'Continuar',
  trust: 'Não perguntar novamente neste navegador durante {days}',
  usePasskey: 'Usar uma chave de acesso',
  needsScript: 'As chaves de acesso exigem JavaScript e um navegador compatível.',
  useRecoveryCode: 'Usar um código de recuperação',
  recoveryCode: 'Código de recuperação',
  recoveryHint: 'Dez letras e dígitos',

  codeWrong: 'O código está errado, já foi usado ou expirou. Introduza o que a aplicação apresenta agora.',
  recoveryWrong: 'Este código de recuperação está errado ou já foi usado.',
  anyWrong: 'O código está errado ou já foi usado.',
  passkeyWrong: 'Não foi possível usar a chave de acesso. Tente novamente ou use outra forma.',
  passkeyChanged:
    'Esta chave de acesso mudou desde que foi adicionada. Use outra forma; depois, remova-a e adicione-a novamente.',
  exhausted: 'Foram introduzidos demasiados códigos errados, por isso um código da aplicação não basta.',
  expired: 'Demorou demasiado tempo. Comece de novo.',
  conflict: 'A verificação em dois passos foi alterada por outro pedido. Tente novamente.',
  unverified: 'Para configurar a verificação em dois passos, verifique antes o seu endereço de e-mail.',

  unavailable: 'Não pode configurar a verificação em dois passos',
  unavailableText: 'A conta com que entrou não está guardada aqui.',
  signIn: 'Entrar',

  step: 'Passo {step} de 3',
  openApp: 'Abrir na sua aplicação de autenticação',
  copy: 'Copiar',
  copied: 'Copiado',
  goBack: 'Voltar',
  codesPrint: 'Imprimir',
  anotherAccount: 'Usar outra conta',
  lost: 'Perdi o telemóvel e os códigos',
  lostTitle: 'Perdeu o telemóvel e os códigos?',
  lostFactor: 'Perdeu o telemóvel ou a chave de acesso?',
  lostText:
    'Procure primeiro os códigos de recuperação: no ficheiro {file}, em papel ou no seu gestor de palavras-passe.',
  lostHelp:
    'Se não os encontrar, contacte os responsáveis por este site. Depois de confirmarem que é mesmo a pessoa certa, podem desativar a verificação em dois passos da sua conta.',
  lostContact:
    'Contacte os responsáveis por este site. Depois de confirmarem que é mesmo a pessoa certa, podem desativar a verificação em dois passos da sua conta.',
  support: 'Contactar o apoio',
  recoveryCodes: 'Códigos de recuperação',
  recoveryText:
    'Com um código de recuperação pode entrar se tiver perdido o telemóvel. Cada um funciona uma única vez.',
  noCodes: 'Ainda não tem códigos de recuperação.',
  passkeys: 'Chaves de acesso',
  passkeysNotAsked:
    'Sem uma aplicação de autenticação, a chave de acesso não é pedida quando entra de outra forma. Configure uma aplicação para ativar a verificação em dois passos.',

  mailCodeSubject: 'O seu código para {site}',
  mailCodeText:
    'Alguém está a entrar na sua conta em {site} ou a configurar uma aplicação de autenticação ou uma chave de acesso para ela. Este código é necessário para continuar:\n{code}\nSe não foi a seu pedido, não dê o código a ninguém e altere o que usa para entrar.',
  mailAddedSubject: 'A verificação em dois passos foi ativada na sua conta em {site}',
  mailAddedText:
    'Uma aplicação de autenticação foi configurada para a sua conta em {site} em {time}, a partir do endereço {client}.\nSe não foi a seu pedido, contacte agora o apoio de {site}.',
  mailRemovedSubject: 'A verificação em dois passos foi desativada na sua conta em {site}',
  mailRemovedText:
    'A aplicação de autenticação e os códigos de recuperação foram removidos da sua conta em {site} em {time}, a partir do endereço {client}.\nSe não foi a seu pedido, entre e configure agora uma aplicação de autenticação.',
  mailAppRemovedSubject: 'A aplicação de autenticação foi removida da sua conta em {site}',
  mailAppRemovedText:
    'A aplicação de autenticação foi removida da sua conta em {site} em {time}, a partir do endereço {client}.\nSe não foi a seu pedido, entre e configure agora uma aplicação de autenticação.',
  mailUsedSubject: 'Um código de recuperação da sua conta em {site} foi usado',
  mailUsedText:
    'Um código de recuperação da sua conta em {site} foi usado em {time}, a partir do endereço {client}. Códigos de recuperação restantes: {left}.\nSe não foi a seu pedido, entre, altere o que usa para entrar e crie novos códigos de recuperação.',
  mailRenewedSubject: 'Foram criados novos códigos de recuperação para a sua conta em {site}',
  mailRenewedText:
    'Foram criados novos códigos de recuperação para a sua conta em {site} em {time}, a partir do endereço {client}. Os anteriores já não funcionam.\nSe não foi a seu pedido, entre, altere o que usa para entrar e crie novos códigos de recuperação.',
  mailResetSubject: 'A verificação em dois passos da sua conta em {site} foi reposta',
  mailResetText:
    'O apoio de {site} removeu a aplicação de autenticação e os códigos de recuperação da sua conta em {time}. A sua sessão foi terminada em todos os locais.\nSe não o pediu, contacte agora o apoio.',
  mailButton: 'Rever a verificação em dois passos'
})
