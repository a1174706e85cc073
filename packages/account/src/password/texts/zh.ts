import type { TextKey } from './en.ts'

export const zh = (): Readonly<Record<TextKey, string>> => ({
  name: '密码',
  email: '电子邮件地址',
  password: '密码',
  newPassword: '新密码',
  currentPassword: '当前密码',
  code: '验证码',
  signIn: '登录',
  createAccount: '创建账号',
  remember: '保持登录',
  forgotPassword: '忘记密码？',
  summarySet: '已设置',
  toAccount: '返回账号',
  summaryNone: '未设置',
  section: '密码',

  signUpText: '您会收到一封确认地址的邮件。之后才会创建账号。',
  passwordHint: '至少 {minLength} 个字符。句子容易记住。',
  strengthShort: '太短',
  strengthFair: '密码尚可：更长会更好。',
  strengthGood: '密码良好。',
  strengthStrong: '密码很强。',
  continue: '继续',

  checkMail: '请查收邮件',
  checkMailText: '邮件正在发往此地址。请打开其中的链接，或在此输入其中的验证码。',
  checkMailReset: '邮件正在发往此地址。请打开其中的链接以继续。',
  startAgain: '重新开始',

  confirm: '确认您的电子邮件地址',
  confirmText: '将用此地址创建您的账号并登录。',
  confirmExisting: '将用此地址登录您的账号。',
  confirmUnused: '此地址已有账号。将登录该账号，您设置的密码不会被使用。',
  choose: '选择密码',
  chooseText: '注册不是在此浏览器中进行的。请为您的新账号选择密码。',
  confirmSubmit: '确认并登录',

  forgot: '忘记密码？',
  forgotText: '请输入您的电子邮件地址。您会收到一个用于选择新密码的链接。',
  reset: '选择新密码',
  resetText: '您将在所有设备上退出登录。之后即可使用新密码登录。',
  save: '保存密码',

  change: '更改密码',
  changeText: '您在此处保持登录，在其他所有地方退出登录。',
  set: '设置密码',
  setText: '之后您也可以用电子邮件地址和此密码登录。',
  unavailable: '您无法设置密码',
  unavailableText: '设置密码需要已验证的电子邮件地址。',
  changed: '您的密码已更改',
  changedText: '从现在起请使用新密码。',
  toSite: '继续',

  gone: '此链接已失效',
  goneText: '它已被使用、已过期，或之后有所变化。请申请新的链接。',
  used: '已经完成',
  usedText: '此链接已被使用过。您不再需要它。',

  emailLetters: '电子邮件地址的 @ 之前只支持不带变音符号的英文字母、数字和符号。',
  emailInvalid: '请输入电子邮件地址，例如 ada@example.com。',
  codeWrong: '验证码错误。请查看最新的邮件。',
  characters: '密码包含不能使用的字符。',
  tooShort: '请至少使用 {minLength} 个字符。',
  tooLong: '请最多使用 256 个字符。',
  tooCommon: '许多人使用此密码。请选择其他密码。',
  isAddress: '请勿使用您的地址或网站名称作为密码。',
  breached: '此密码已在数据泄露中曝光。请选择其他密码。',
  currentWrong: '这不是您的当前密码。',
  conflict: '密码已被另一个请求更改。请重试。',

  mailSignUpSubject: '请确认您在 {site} 的电子邮件地址',
  mailSignUpText:
    '有人用此地址在 {site} 注册。\n请在一小时内确认该地址以创建账号。在注册时使用的浏览器中，您也可以输入此验证码：\n{code}\n如果不是您本人，请忽略此邮件。不会创建账号。',
  mailSignUpButton: '确认电子邮件地址',
  mailExistsSubject: '您在 {site} 已有账号',
  mailExistsText:
    '有人用此地址在 {site} 注册，而该地址已有账号。\n请登录；如果忘记了密码，请选择新密码。\n如果不是您本人，请忽略此邮件。没有任何更改。',
  mailExistsButton: '登录',
  mailResetSubject: '为 {site} 选择新密码',
  mailResetText:
    '有人为您在 {site} 的账号申请了新密码。\n请在一小时内选择。之后您将在所有设备上退出登录。\n如果不是您本人，请忽略此邮件。您的密码保持不变。',
  mailResetButton: '选择新密码',
  mailConfirmSubject: '登录 {site}',
  mailConfirmText:
    '有人为 {site} 申请了新密码。此账号的地址尚未验证。\n请在一小时内确认以登录。之后您可以设置密码。\n如果不是您本人，请忽略此邮件。',
  mailConfirmButton: '确认电子邮件地址',
  mailUnknownSubject: '在 {site} 没有账号',
  mailUnknownText:
    '有人为 {site} 申请了新密码，但没有使用此地址的账号。\n也许您是用其他地址注册的。\n如果不是您本人，请忽略此邮件。',
  mailUnknownButton: '创建账号',
  mailChangedSubject: '您在 {site} 的密码已更改',
  mailChangedText:
    '您在 {site} 的账号密码已于 {time} 从地址 {client} 更改。\n如果不是您本人，请立即选择新密码。这会使其他所有人退出登录。',
  mailChangedButton: '选择新密码'
})
