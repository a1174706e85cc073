import { pt as mailedCode } from '../../mail/texts/pt.ts'
import type { TextKey } from './en.ts'

export const pt = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'pt',
  name: 'Chave de acesso',
  signIn: 'Entrar com uma chave de acesso',
  signInText: 'O seu dispositivo pede a sua impressão digital, o seu rosto ou o bloqueio de ecrã.',
  needsScript: 'As chaves de acesso exigem JavaScript e um navegador compatível.',
  otherWays: 'Outras formas de entrar',
  noneHere: 'Não há nenhuma chave de acesso aqui? Use o seu telemóvel ou outra forma.',
  usePhone: 'Usar o telemóvel',
  offer: 'Entre mais depressa da próxima vez',
  offerText:
    'Crie uma chave de acesso e entre com a sua impressão digital, o seu rosto ou o bloqueio de ecrã do seu dispositivo.',
  notNow: 'Agora não',
  neverAsk: 'Não perguntar novamente',

  summary: '{names}',
  toAccount: 'Voltar à conta',
  summaryNone: 'Nenhuma chave de acesso',
  passkeys: 'Chaves de acesso',
  passkeysText:
    'Entre com a sua impressão digital, o seu rosto ou o bloqueio de ecrã do seu dispositivo em vez de uma palavra-passe.',
  synced: 'Disponível em vários dispositivos.',
  local: 'Num único dispositivo.',
  createdAt: 'Adicionada em {date}.',
  usedAt: 'Usada pela última vez em {date}.',
  add: 'Adicionar uma chave de acesso',
  verify: 'Confirme a sua identidade para fazer alterações',
  notCreated: 'Nenhuma chave de acesso foi criada: a operação foi cancelada ou demorou demasiado tempo.',
  existsText: 'Este dispositivo já tem uma chave de acesso para a sua conta.',
  existsNext: 'Pode entrar com ela.',
  expired: 'Demorou demasiado tempo. Tente novamente.',
  failed:
    'Não foi possível adicionar a chave de acesso. As chaves de acesso exigem JavaScript e um navegador compatível.',
  exists: 'Esta chave de acesso já foi adicionada.',
  tooMany: 'Atingiu o número máximo de chaves de acesso. Remova uma para adicionar outra.',
  unverified: 'Para adicionar uma chave de acesso, verifique antes o seu endereço de e-mail.',
  mailText:
    'Para usar a chave de acesso também na verificação em dois passos, receba primeiro um código por e-mail. Sem o código, é apenas uma forma de entrar.',

  label: 'Nome',
  save: 'Guardar nome',
  remove: 'Remover chave de acesso',
  removeText:
    'A sua sessão será terminada em todos os outros locais. Elimine a chave de acesso também no seu dispositivo.',
  nameMissing: 'Introduza um nome.',
  conflict: 'A chave de acesso foi alterada por outro pedido. Tente novamente.',
  lastWayIn: 'Esta é a sua única forma de entrar. Adicione outra antes de a remover.',
  back: 'Todas as chaves de acesso',
  unavailable: 'Não pode ter chaves de acesso',
  unavailableText: 'A conta com que entrou não está guardada aqui.',

  unknownText: 'Esta chave de acesso não é conhecida aqui.',
  unknownNext: 'Talvez tenha sido removida. Use outra ou entre de outra forma.',
  changedText: 'Esta chave de acesso mudou desde que foi adicionada.',
  changedNext: 'Entre de outra forma, remova-a e adicione-a novamente.',
  expiredText: 'A entrada com a chave de acesso demorou demasiado tempo.',
  expiredNext: 'Tente novamente.',

  createAccount: 'Criar conta com uma chave de acesso',
  signUpText: 'Receberá um e-mail para confirmar o seu endereço. Depois disso, a conta é criada.',
  email: 'Endereço de e-mail',
  createPasskey: 'Criar chave de acesso',
  toSignIn: 'Entrar',

  checkMail: 'Verifique o seu e-mail',
  checkMailText: 'Um e-mail está a caminho deste endereço. Abra o respetivo link ou introduza aqui o código.',
  code: 'Código',
  continue: 'Continuar',
  startAgain: 'Começar de novo',
  emailLetters: 'Os endereços de e-mail com letras como ä ou é antes do @ não são suportados.',
  emailInvalid: 'Introduza um endereço de e-mail, como ada@example.com.',
  codeWrong: 'Este código está errado. Veja o e-mail mais recente.',

  confirm: 'Confirme o seu endereço de e-mail',
  confirmText: 'A sua conta é criada com este endereço, e a sessão é iniciada.',
  confirmUnused: 'Já existe uma conta com este endereço. Entra nessa conta, e a chave de acesso criada não é usada.',
  confirmSubmit: 'Confirmar e entrar',
  createText:
    'O registo não foi feito neste navegador. Crie aqui a chave de acesso da sua nova conta ou introduza o código do e-mail no navegador do registo.',
  gone: 'Este link já não funciona',
  goneText: 'Foi usado, expirou ou algo mudou desde então. Peça um novo.',
  used: 'Já está feito',
  usedText: 'Este link já foi usado. Já não precisa dele.',

  mailAddedSubject: 'Uma chave de acesso foi adicionada à sua conta em {site}',
  mailAddedText:
    'A chave de acesso “{passkey}” foi adicionada à sua conta em {site} em {time}, a partir do endereço {client}.\nSe não foi a seu pedido, remova-a agora. Assim, todas as outras sessões são terminadas.',
  mailRemovedSubject: 'Uma chave de acesso foi removida da sua conta em {site}',
  mailRemovedText:
    'A chave de acesso “{passkey}” foi removida da sua conta em {site} em {time}, a partir do endereço {client}.\nSe não foi a seu pedido, entre e verifique as formas de entrar na sua conta.',
  mailCopiedSubject: 'Uma chave de acesso de {site} pode ter sido copiada',
  mailCopiedText:
    'Alguém tentou entrar em {site} com a chave de acesso “{passkey}” em {time}, a partir do endereço {client}. O respetivo contador indica que pode haver uma cópia, por isso a entrada foi recusada.\nRemova esta chave de acesso e adicione uma nova.',
  mailButton: 'Verificar chaves de acesso',

  mailSignUpSubject: 'Confirme o seu endereço de e-mail para {site}',
  mailSignUpText:
    'Alguém se registou em {site} com este endereço.\nConfirme o endereço no prazo de uma hora para criar a conta. No navegador do registo, também pode introduzir este código:\n{code}\nSe não foi a seu pedido, ignore este e-mail. Nenhuma conta é criada.',
  mailSignUpButton: 'Confirmar endereço de e-mail',
  mailExistsSubject: 'Já tem uma conta em {site}',
  mailExistsText:
    'Alguém tentou registar-se em {site} com este endereço, que já tem uma conta.\nEntre como antes.\nSe não foi a seu pedido, ignore este e-mail. Nada foi alterado.',
  mailExistsButton: 'Entrar'
})
