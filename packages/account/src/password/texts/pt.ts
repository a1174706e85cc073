import type { TextKey } from './en.ts'

export const pt = (): Readonly<Record<TextKey, string>> => ({
  name: 'Palavra-passe',
  email: 'Endereço de e-mail',
  password: 'Palavra-passe',
  newPassword: 'Nova palavra-passe',
  currentPassword: 'Palavra-passe atual',
  code: 'Código',
  signIn: 'Entrar',
  createAccount: 'Criar conta',
  remember: 'Manter a sessão iniciada',
  forgotPassword: 'Esqueceu-se da palavra-passe?',
  summarySet: 'Definida',
  toAccount: 'Voltar à conta',
  summaryNone: 'Não definida',
  section: 'Palavra-passe',

  signUpText: 'Receberá um e-mail para confirmar o seu endereço. Depois disso, a conta é criada.',
  passwordHint: 'Pelo menos {minLength} caracteres. Uma frase é fácil de lembrar.',
  strengthShort: 'Demasiado curta',
  strengthFair: 'Palavra-passe razoável: uma mais longa é melhor.',
  strengthGood: 'Boa palavra-passe.',
  strengthStrong: 'Palavra-passe forte.',
  continue: 'Continuar',

  checkMail: 'Verifique o seu e-mail',
  checkMailText: 'Um e-mail está a caminho deste endereço. Abra o respetivo link ou introduza aqui o código.',
  checkMailReset: 'Um e-mail está a caminho deste endereço. Abra o respetivo link para continuar.',
  startAgain: 'Começar de novo',

  confirm: 'Confirme o seu endereço de e-mail',
  confirmText: 'A sua conta é criada com este endereço, e a sessão é iniciada.',
  confirmExisting: 'Entra na sua conta com este endereço.',
  confirmUnused: 'Já existe uma conta com este endereço. Entra nessa conta, e a palavra-passe escolhida não é usada.',
  choose: 'Escolha uma palavra-passe',
  chooseText: 'O registo não foi feito neste navegador. Escolha a palavra-passe da sua nova conta.',
  confirmSubmit: 'Confirmar e entrar',

  forgot: 'Esqueceu-se da palavra-passe?',
  forgotText: 'Introduza o seu endereço de e-mail. Receberá um link para escolher uma nova palavra-passe.',
  reset: 'Escolha uma nova palavra-passe',
  resetText: 'A sessão é terminada em todos os dispositivos. Depois pode entrar com a nova palavra-passe.',
  save: 'Guardar palavra-passe',

  change: 'Alterar palavra-passe',
  changeText: 'A sua sessão continua aqui e é terminada em todos os outros locais.',
  set: 'Definir uma palavra-passe',
  setText: 'Assim também pode entrar com o seu endereço de e-mail e esta palavra-passe.',
  unavailable: 'Não pode definir uma palavra-passe',
  unavailableText: 'Uma palavra-passe exige um endereço de e-mail verificado.',
  changed: 'A sua palavra-passe foi alterada',
  changedText: 'Use a nova palavra-passe a partir de agora.',
  toSite: 'Continuar',

  gone: 'Este link já não funciona',
  goneText: 'Foi usado, expirou ou algo mudou desde então. Peça um novo.',
  used: 'Já está feito',
  usedText: 'Este link já foi usado. Já não precisa dele.',

  emailLetters: 'Os endereços de e-mail com letras como ä ou é antes do @ não são suportados.',
  emailInvalid: 'Introduza um endereço de e-mail, como ada@example.com.',
  codeWrong: 'Este código está errado. Veja o e-mail mais recente.',
  characters: 'A palavra-passe contém um caráter que não pode ser usado.',
  tooShort: 'Use pelo menos {minLength} caracteres.',
  tooLong: 'Use no máximo 256 caracteres.',
  tooCommon: 'Esta palavra-passe é usada por muitas pessoas. Escolha outra.',
  isAddress: 'Não use o seu endereço nem o nome do site como palavra-passe.',
  breached: 'Esta palavra-passe é conhecida de uma fuga de dados. Escolha outra.',
  currentWrong: 'Esta não é a sua palavra-passe atual.',
  conflict: 'A palavra-passe foi alterada por outro pedido. Tente novamente.',

  mailSignUpSubject: 'Confirme o seu endereço de e-mail para {site}',
  mailSignUpText:
    'Alguém se registou em {site} com este endereço.\nConfirme o endereço no prazo de uma hora para criar a conta. No navegador do registo, também pode introduzir este código:\n{code}\nSe não foi a seu pedido, ignore este e-mail. Nenhuma conta é criada.',
  mailSignUpButton: 'Confirmar endereço de e-mail',
  mailExistsSubject: 'Já tem uma conta em {site}',
  mailExistsText:
    'Alguém tentou registar-se em {site} com este endereço, que já tem uma conta.\nEntre ou escolha uma nova palavra-passe se se esqueceu da sua.\nSe não foi a seu pedido, ignore este e-mail. Nada foi alterado.',
  mailExistsButton: 'Entrar',
  mailResetSubject: 'Escolha uma nova palavra-passe para {site}',
  mailResetText:
    'Alguém pediu uma nova palavra-passe para a sua conta em {site}.\nEscolha-a no prazo de uma hora. Depois disso, a sessão é terminada em todos os dispositivos.\nSe não foi a seu pedido, ignore este e-mail. A sua palavra-passe continua a mesma.',
  mailResetButton: 'Escolher uma nova palavra-passe',
  mailConfirmSubject: 'Entrar em {site}',
  mailConfirmText:
    'Alguém pediu uma nova palavra-passe para {site}. O endereço desta conta ainda não foi verificado.\nConfirme-o no prazo de uma hora para entrar. Depois pode definir uma palavra-passe.\nSe não foi a seu pedido, ignore este e-mail.',
  mailConfirmButton: 'Confirmar endereço de e-mail',
  mailUnknownSubject: 'Nenhuma conta em {site}',
  mailUnknownText:
    'Alguém pediu uma nova palavra-passe para {site}, mas não há conta com este endereço.\nTalvez se tenha registado com outro.\nSe não foi a seu pedido, ignore este e-mail.',
  mailUnknownButton: 'Criar conta',
  mailChangedSubject: 'A sua palavra-passe de {site} foi alterada',
  mailChangedText:
    'A palavra-passe da sua conta em {site} foi alterada em {time}, a partir do endereço {client}.\nSe não foi a seu pedido, escolha agora uma nova palavra-passe. Assim, todas as outras sessões são terminadas.',
  mailChangedButton: 'Escolher uma nova palavra-passe'
})
