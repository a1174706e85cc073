import { pt as mailedCode } from '../../mail/texts/pt.ts'
import type { TextKey } from './en.ts'

export const pt: Readonly<Record<TextKey, string>> = {
  ...mailedCode,
  locale: 'pt',
  summaryOn: 'Ativado',
  toAccount: 'Voltar à conta',
  summaryOff: 'Desativado',
  section: 'Segundo fator',
  factorsText:
    'Com um segundo fator, ninguém que apenas saiba sua senha, ou apenas leia seus e-mails, consegue entrar.',
  app: 'App autenticador',
  appAdded: 'Configurado em {date}.',
  appUsed: 'Usado pela última vez em {date}.',
  noApp: 'Nenhum app autenticador está configurado.',
  start: 'Configurar um app autenticador',
  remove: 'Remover app autenticador',
  removeText: 'Seus códigos de recuperação também são removidos, e você sairá em todos os outros lugares.',
  codesLeft: 'Códigos de recuperação restantes: {left}.',
  codesFew: 'Você tem poucos códigos de recuperação. Crie novos.',
  createCodes: 'Criar novos códigos de recuperação',
  createCodesText: 'Os códigos que você tem agora deixam de funcionar.',
  verify: 'Confirme que é você para fazer alterações',
  anyCode: 'Código do app ou código de recuperação',

  enroll: 'Configurar um app autenticador',
  enrollText: 'Escaneie o código QR com um app autenticador no seu celular. Depois, digite o código que o app mostra.',
  enrollRequired: 'Este site exige um segundo fator.',
  qrCode: 'Código QR para o app autenticador',
  key: 'Ou digite esta chave no app:',
  code: 'Código do app',
  codeHint: 'Seis dígitos',
  confirm: 'Confirmar',
  mailText:
    'Primeiro, receba um código por e-mail, para que ninguém além de você possa configurar um app. Se você mudou seu e-mail nos últimos 7 dias, o código vai para o anterior.',

  codes: 'Seus códigos de recuperação',
  codesText:
    'Você pode entrar com um destes códigos em vez do app, por exemplo, se perder o celular. Cada um funciona uma única vez. Guarde-os em um lugar seguro: eles são mostrados apenas agora.',
  codesShown: 'Seus códigos de recuperação já foram mostrados. Se você não os salvou, crie novos depois de entrar.',
  codesDownload: 'Baixar os códigos',
  codesSaved: 'Salvei os códigos',
  back: 'Segundo fator',

  challenge: 'Confirme que é você',
  challengeText: 'Digite o código que seu app autenticador mostra agora.',
  challengePasskey: 'Use sua chave de acesso para continuar.',
  challengeOther: 'Use uma chave de acesso ou um código de recuperação para continuar.',
  challengeRecovery: 'Use um código de recuperação para continuar.',
  challengeNone: 'Entre de outra forma ou fale com os responsáveis por este site.',
  exhaustedText:
    'Muitos códigos errados foram digitados para sua conta, por isso também é necessário um código enviado por e-mail.',
  continue: 'Continuar',
  trust: 'Não perguntar novamente neste navegador por {days}',
  usePasskey: 'Usar uma chave de acesso',
  passkeyCancelled: 'Nenhuma chave de acesso foi usada. Tente novamente ou use outra forma.',
  needsScript: 'As chaves de acesso exigem JavaScript e um navegador compatível.',
  useRecoveryCode: 'Usar um código de recuperação',
  recoveryCode: 'Código de recuperação',
  recoveryHint: 'Dez letras e dígitos',

  codeWrong: 'O código está errado, já foi usado ou expirou. Digite o que o app mostra agora.',
  recoveryWrong: 'Este código de recuperação está errado ou já foi usado.',
  anyWrong: 'O código está errado ou já foi usado.',
  passkeyWrong: 'Não foi possível usar a chave de acesso. Tente novamente ou use outra forma.',
  exhausted: 'Códigos errados demais foram digitados, por isso um código do app não basta.',
  expired: 'Isso demorou demais. Comece de novo.',
  conflict: 'O segundo fator foi alterado por outra solicitação. Tente novamente.',
  unverified: 'Para configurar um segundo fator, verifique antes seu endereço de e-mail: entre por e-mail.',
  changed:
    'O endereço de e-mail foi alterado há menos de 7 dias. Para configurar um segundo fator agora, entre com uma conta, uma chave de acesso ou uma senha anterior à alteração.',

  unavailable: 'Você não pode configurar um segundo fator',
  unavailableText: 'A conta com a qual você entrou não está armazenada aqui.',
  signIn: 'Entrar',

  mailCodeSubject: 'Seu código para {site}',
  mailCodeText:
    'Alguém está entrando na sua conta em {site} ou configurando um app autenticador ou uma chave de acesso para ela. Este código é necessário para continuar:\n{code}\nSe não é você, não dê o código a ninguém e altere sua senha.',
  mailAddedSubject: 'Um segundo fator foi adicionado à sua conta em {site}',
  mailAddedText:
    'Um app autenticador foi configurado para sua conta em {site} em {time}, a partir do endereço {client}.\nSe não foi você, entre em contato agora com o suporte de {site}.',
  mailRemovedSubject: 'O segundo fator foi removido da sua conta em {site}',
  mailRemovedText:
    'O app autenticador e os códigos de recuperação foram removidos da sua conta em {site} em {time}, a partir do endereço {client}.\nSe não foi você, entre e configure agora um app autenticador.',
  mailUsedSubject: 'Um código de recuperação da sua conta em {site} foi usado',
  mailUsedText:
    'Um código de recuperação da sua conta em {site} foi usado em {time}, a partir do endereço {client}. Códigos de recuperação restantes: {left}.\nSe não foi você, entre, altere sua senha e crie novos códigos de recuperação.',
  mailRenewedSubject: 'Novos códigos de recuperação foram criados para sua conta em {site}',
  mailRenewedText:
    'Novos códigos de recuperação foram criados para sua conta em {site} em {time}, a partir do endereço {client}. Os anteriores não funcionam mais.\nSe não foi você, entre, altere sua senha e crie novos códigos de recuperação.',
  mailResetSubject: 'O segundo fator da sua conta em {site} foi redefinido',
  mailResetText:
    'O suporte de {site} removeu o app autenticador e os códigos de recuperação da sua conta em {time}. Você saiu em todos os lugares.\nSe você não pediu isso, entre em contato agora com o suporte.',
  mailButton: 'Verificar segundo fator'
}
