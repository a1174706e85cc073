import { pt as mailedCode } from '../../mail/texts/pt.ts'
import type { TextKey } from './en.ts'

export const pt: Readonly<Record<TextKey, string>> = {
  ...mailedCode,
  locale: 'pt',
  name: 'Chave de acesso',
  signIn: 'Entrar com uma chave de acesso',
  signInText: 'Seu dispositivo pede sua impressão digital, seu rosto ou o bloqueio de tela.',
  needsScript: 'As chaves de acesso exigem JavaScript e um navegador compatível.',
  otherWays: 'Outras formas de entrar',
  cancelled: 'Nenhuma chave de acesso foi usada. Tente novamente ou entre de outra forma.',

  summary: '{names}',
  toAccount: 'Voltar à conta',
  summaryNone: 'Nenhuma chave de acesso',
  passkeys: 'Chaves de acesso',
  passkeysText:
    'Entre com sua impressão digital, seu rosto ou o bloqueio de tela do seu dispositivo em vez de uma senha.',
  synced: 'Disponível em vários dispositivos.',
  local: 'Em um único dispositivo.',
  createdAt: 'Adicionada em {date}.',
  usedAt: 'Usada pela última vez em {date}.',
  add: 'Adicionar uma chave de acesso',
  verify: 'Confirme que é você para fazer alterações',
  notCreated: 'Nenhuma chave de acesso foi adicionada. Talvez este dispositivo já tenha uma para sua conta.',
  expired: 'Isso demorou demais. Tente novamente.',
  failed:
    'Não foi possível adicionar a chave de acesso. As chaves de acesso exigem JavaScript e um navegador compatível.',
  exists: 'Esta chave de acesso já foi adicionada.',
  tooMany: 'Você atingiu o número máximo de chaves de acesso. Remova uma para adicionar outra.',
  unverified: 'Para adicionar uma chave de acesso, verifique antes seu endereço de e-mail: entre por e-mail.',
  mailText:
    'Para que a chave de acesso também seja um segundo fator, receba primeiro um código por e-mail. Sem o código, ela é apenas uma forma de entrar. Se você mudou seu e-mail nos últimos 7 dias, o código vai para o anterior.',

  label: 'Nome',
  save: 'Salvar nome',
  remove: 'Remover chave de acesso',
  removeText: 'Você sairá em todos os outros lugares. Exclua a chave de acesso também no seu dispositivo.',
  nameMissing: 'Digite um nome.',
  conflict: 'A chave de acesso foi alterada por outra solicitação. Tente novamente.',
  lastWayIn: 'Esta é sua única forma de entrar. Adicione outra antes de removê-la.',
  undoNeeded:
    'Esta chave de acesso pode desfazer a última alteração do seu endereço de e-mail. Você pode removê-la 7 dias após essa alteração.',
  back: 'Todas as chaves de acesso',
  unavailable: 'Você não pode ter chaves de acesso',
  unavailableText: 'A conta com a qual você entrou não está armazenada aqui.',

  unknownText: 'Esta chave de acesso não é conhecida aqui.',
  unknownNext: 'Talvez ela tenha sido removida. Use outra ou entre de outra forma.',
  failedText: 'Não foi possível usar a chave de acesso.',
  failedNext: 'Tente novamente ou entre de outra forma. As chaves de acesso exigem JavaScript.',
  expiredText: 'A entrada com a chave de acesso demorou demais.',
  expiredNext: 'Tente novamente.',

  createAccount: 'Criar conta com uma chave de acesso',
  signUpText: 'Você receberá um e-mail para confirmar seu endereço. Depois disso, a conta é criada.',
  email: 'Endereço de e-mail',
  createPasskey: 'Criar chave de acesso',
  signUpCancelled: 'Nenhuma chave de acesso foi criada. Tente novamente.',
  toSignIn: 'Entrar',

  checkMail: 'Verifique seu e-mail',
  checkMailText: 'Um e-mail está a caminho deste endereço. Abra o link dele ou digite aqui o código que ele contém.',
  code: 'Código',
  continue: 'Continuar',
  startAgain: 'Começar de novo',
  emailInvalid: 'Digite um endereço de e-mail, como ada@example.com.',
  codeWrong: 'Este código está errado. Veja o e-mail mais recente.',

  confirm: 'Confirme seu endereço de e-mail',
  confirmText: 'Sua conta é criada com este endereço e você entra nela.',
  confirmExisting: 'Você entra na sua conta com este endereço.',
  confirmSubmit: 'Confirmar e entrar',
  createText:
    'O cadastro não foi feito neste navegador. Crie aqui a chave de acesso da sua nova conta ou digite o código do e-mail no navegador do cadastro.',
  gone: 'Este link não funciona mais',
  goneText: 'Ele foi usado, expirou ou algo mudou desde então. Peça um novo.',
  used: 'Já está feito',
  usedText: 'Este link já foi usado. Você não precisa mais dele.',

  mailAddedSubject: 'Uma chave de acesso foi adicionada à sua conta em {site}',
  mailAddedText:
    'A chave de acesso “{passkey}” foi adicionada à sua conta em {site} em {time}, a partir do endereço {client}.\nSe não foi você, remova-a agora. Isso desconecta todos os outros.',
  mailRemovedSubject: 'Uma chave de acesso foi removida da sua conta em {site}',
  mailRemovedText:
    'A chave de acesso “{passkey}” foi removida da sua conta em {site} em {time}, a partir do endereço {client}.\nSe não foi você, entre e verifique as formas de entrar na sua conta.',
  mailCopiedSubject: 'Uma chave de acesso de {site} pode ter sido copiada',
  mailCopiedText:
    'Alguém tentou entrar em {site} com a chave de acesso “{passkey}” em {time}, a partir do endereço {client}. O contador dela indica que pode haver uma cópia, por isso a entrada foi recusada.\nRemova esta chave de acesso e adicione uma nova.',
  mailButton: 'Verificar chaves de acesso',

  mailSignUpSubject: 'Confirme seu endereço de e-mail para {site}',
  mailSignUpText:
    'Alguém se cadastrou em {site} com este endereço.\nConfirme o endereço em até uma hora para criar a conta. No navegador do cadastro, você também pode digitar este código:\n{code}\nSe não foi você, ignore este e-mail. Nenhuma conta é criada.',
  mailSignUpButton: 'Confirmar endereço de e-mail',
  mailExistsSubject: 'Você já tem uma conta em {site}',
  mailExistsText:
    'Alguém se cadastrou em {site} com este endereço, que já tem uma conta.\nEntre como você fazia antes.\nSe não foi você, ignore este e-mail. Nada foi alterado.',
  mailExistsButton: 'Entrar'
}
