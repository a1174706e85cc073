import type { TextKey } from './en.ts'

export const pt: Readonly<Record<TextKey, string>> = {
  name: 'Senha',
  email: 'Endereço de e-mail',
  password: 'Senha',
  newPassword: 'Nova senha',
  currentPassword: 'Senha atual',
  code: 'Código',
  signIn: 'Entrar',
  createAccount: 'Criar conta',
  forgotPassword: 'Esqueceu a senha?',
  summarySet: 'Definida',
  toAccount: 'Voltar à conta',
  summaryNone: 'Não definida',
  section: 'Senha',

  signUpText: 'Você receberá um e-mail para confirmar seu endereço. Depois disso, a conta é criada.',
  passwordHint: 'Pelo menos {minLength} caracteres. Uma frase é fácil de lembrar.',
  strengthShort: 'Curta demais',
  strengthFair: 'Senha razoável: uma mais longa é melhor.',
  strengthGood: 'Boa senha.',
  strengthStrong: 'Senha forte.',
  continue: 'Continuar',

  checkMail: 'Verifique seu e-mail',
  checkMailText: 'Um e-mail está a caminho deste endereço. Abra o link dele ou digite aqui o código que ele contém.',
  checkMailReset: 'Um e-mail está a caminho deste endereço. Abra o link dele para continuar.',
  startAgain: 'Começar de novo',

  confirm: 'Confirme seu endereço de e-mail',
  confirmText: 'Sua conta é criada com este endereço e você entra nela.',
  confirmExisting: 'Você entra na sua conta com este endereço.',
  choose: 'Escolha uma senha',
  chooseText: 'O cadastro não foi feito neste navegador. Escolha a senha da sua nova conta.',
  confirmSubmit: 'Confirmar e entrar',

  forgot: 'Esqueceu a senha?',
  forgotText: 'Digite seu endereço de e-mail. Você receberá um link para escolher uma nova senha.',
  reset: 'Escolha uma nova senha',
  resetText: 'Você sairá em todos os dispositivos. Depois poderá entrar com a nova senha.',
  save: 'Salvar senha',

  change: 'Alterar senha',
  changeText: 'Você continua conectado aqui e sai em todos os outros lugares.',
  set: 'Definir uma senha',
  setText: 'Assim você também poderá entrar com seu endereço de e-mail e esta senha.',
  unavailable: 'Você não pode definir uma senha',
  unavailableText: 'Uma senha exige um endereço de e-mail verificado. Entre por e-mail para verificar o seu.',
  changed: 'Sua senha foi alterada',
  changedText: 'Use a nova senha a partir de agora.',
  toSite: 'Continuar',

  gone: 'Este link não funciona mais',
  goneText: 'Ele foi usado, expirou ou algo mudou desde então. Peça um novo.',
  used: 'Já está feito',
  usedText: 'Este link já foi usado. Você não precisa mais dele.',

  emailInvalid: 'Digite um endereço de e-mail, como ada@example.com.',
  codeWrong: 'Este código está errado. Veja o e-mail mais recente.',
  characters: 'A senha contém um caractere que não pode ser usado.',
  tooShort: 'Use pelo menos {minLength} caracteres.',
  tooLong: 'Use no máximo 256 caracteres.',
  tooCommon: 'Esta senha é usada por muitas pessoas. Escolha outra.',
  isAddress: 'Não use seu endereço nem o nome do site como senha.',
  breached: 'Esta senha é conhecida por um vazamento de dados. Escolha outra.',
  currentWrong: 'Esta não é a sua senha atual.',
  conflict: 'A senha foi alterada por outra solicitação. Tente novamente.',

  mailSignUpSubject: 'Confirme seu endereço de e-mail para {site}',
  mailSignUpText:
    'Alguém se cadastrou em {site} com este endereço.\nConfirme o endereço em até uma hora para criar a conta. No navegador do cadastro, você também pode digitar este código:\n{code}\nSe não foi você, ignore este e-mail. Nenhuma conta é criada.',
  mailSignUpButton: 'Confirmar endereço de e-mail',
  mailExistsSubject: 'Você já tem uma conta em {site}',
  mailExistsText:
    'Alguém se cadastrou em {site} com este endereço, que já tem uma conta.\nEntre ou escolha uma nova senha se esqueceu a sua.\nSe não foi você, ignore este e-mail. Nada foi alterado.',
  mailExistsButton: 'Entrar',
  mailResetSubject: 'Escolha uma nova senha para {site}',
  mailResetText:
    'Alguém pediu uma nova senha para sua conta em {site}.\nEscolha-a em até uma hora. Depois disso, você sairá em todos os dispositivos.\nSe não foi você, ignore este e-mail. Sua senha continua a mesma.',
  mailResetButton: 'Escolher uma nova senha',
  mailConfirmSubject: 'Entrar em {site}',
  mailConfirmText:
    'Alguém pediu uma nova senha para {site}. O endereço desta conta ainda não foi verificado.\nConfirme-o em até uma hora para entrar. Depois você poderá definir uma senha.\nSe não foi você, ignore este e-mail.',
  mailConfirmButton: 'Confirmar endereço de e-mail',
  mailUnknownSubject: 'Nenhuma conta em {site}',
  mailUnknownText:
    'Alguém pediu uma nova senha para {site}, mas não há conta com este endereço.\nTalvez você tenha se cadastrado com outro.\nSe não foi você, ignore este e-mail.',
  mailUnknownButton: 'Criar conta',
  mailChangedSubject: 'Sua senha de {site} foi alterada',
  mailChangedText:
    'A senha da sua conta em {site} foi alterada em {time}, a partir do endereço {client}.\nSe não foi você, escolha agora uma nova senha. Isso desconecta todos os outros.',
  mailChangedButton: 'Escolher uma nova senha'
}
