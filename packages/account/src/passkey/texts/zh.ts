import { zh as mailedCode } from '../../mail/texts/zh.ts'
import type { TextKey } from './en.ts'

export const zh = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'zh-Hans',
  name: '通行密钥',
  signIn: '使用通行密钥登录',
  signInText: '您的设备会要求验证您的指纹、面容或屏幕锁定。',
  needsScript: '通行密钥需要 JavaScript 和支持它的浏览器。',
  otherWays: '其他登录方式',
  noneHere: '这里没有通行密钥？请使用您的手机，或其他方式。',
  usePhone: '使用手机',
  offer: '下次更快登录',
  offerText: '创建通行密钥，即可使用指纹、面容或设备的屏幕锁定登录。',
  notNow: '暂不',
  neverAsk: '不再询问',

  summary: '{names}',
  toAccount: '返回账号',
  summaryNone: '没有通行密钥',
  passkeys: '通行密钥',
  passkeysText: '使用指纹、面容或设备的屏幕锁定登录，无需密码。',
  synced: '可在多台设备上使用。',
  local: '仅在一台设备上。',
  createdAt: '添加于 {date}。',
  usedAt: '上次使用于 {date}。',
  add: '添加通行密钥',
  verify: '确认是您本人以进行更改',
  notCreated: '未创建通行密钥：您已取消，或用时过长。',
  existsText: '此设备上已有您账号的通行密钥。',
  existsNext: '您可以用它登录。',
  expired: '用时过长。请重试。',
  failed: '无法添加通行密钥。通行密钥需要 JavaScript 和支持它的浏览器。',
  exists: '此通行密钥之前已添加。',
  tooMany: '您的通行密钥数量已达上限。请移除一个，再添加另一个。',
  unverified: '要添加通行密钥，请先验证您的电子邮件地址。',
  mailText: '要让通行密钥也用于两步验证，请先通过邮件获取验证码。没有验证码时，它只是一种登录方式。',

  label: '名称',
  save: '保存名称',
  remove: '移除通行密钥',
  removeText: '之后您将在其他所有地方退出登录。请同时在您的设备上删除此通行密钥。',
  nameMissing: '请输入名称。',
  conflict: '通行密钥已被另一个请求更改。请重试。',
  lastWayIn: '这是您唯一的登录方式。请先添加其他方式，再移除它。',
  back: '所有通行密钥',
  unavailable: '您无法使用通行密钥',
  unavailableText: '您当前登录的账号未存储在此处。',

  unknownText: '此处没有这个通行密钥的记录。',
  unknownNext: '它可能已被移除。请使用其他通行密钥，或用其他方式登录。',
  changedText: '此通行密钥自添加后已发生变化。',
  changedNext: '请用其他方式登录，移除它，然后重新添加。',
  expiredText: '使用通行密钥登录用时过长。',
  expiredNext: '请重试。',

  createAccount: '使用通行密钥创建账号',
  signUpText: '您会收到一封确认地址的邮件。之后才会创建账号。',
  email: '电子邮件地址',
  createPasskey: '创建通行密钥',
  toSignIn: '登录',

  checkMail: '请查收邮件',
  checkMailText: '邮件正在发往此地址。请打开其中的链接，或在此输入其中的验证码。',
  code: '验证码',
  continue: '继续',
  startAgain: '重新开始',
  emailLetters: '电子邮件地址的 @ 之前只支持不带变音符号的英文字母、数字和符号。',
  emailInvalid: '请输入电子邮件地址，例如 ada@example.com。',
  codeWrong: '验证码错误。请查看最新的邮件。',

  confirm: '确认您的电子邮件地址',
  confirmText: '将用此地址创建您的账号并登录。',
  confirmUnused: '此地址已有账号。将登录该账号，您创建的通行密钥不会被使用。',
  confirmSubmit: '确认并登录',
  createText:
    '注册不是在此浏览器中进行的。请在此为您的新账号创建通行密钥，或在注册时使用的浏览器中输入邮件中的验证码。',
  gone: '此链接已失效',
  goneText: '它已被使用、已过期，或之后有所变化。请申请新的链接。',
  used: '已经完成',
  usedText: '此链接已被使用过。您不再需要它。',

  mailAddedSubject: '您在 {site} 的账号已添加通行密钥',
  mailAddedText:
    '通行密钥“{passkey}”已于 {time} 从地址 {client} 添加到您在 {site} 的账号。\n如果不是您本人，请立即移除它。这会使其他所有人退出登录。',
  mailRemovedSubject: '您在 {site} 的账号已移除通行密钥',
  mailRemovedText:
    '通行密钥“{passkey}”已于 {time} 从地址 {client} 自您在 {site} 的账号中移除。\n如果不是您本人，请登录并检查您账号的登录方式。',
  mailCopiedSubject: '{site} 的通行密钥可能已被复制',
  mailCopiedText:
    '有人于 {time} 从地址 {client} 尝试使用通行密钥“{passkey}”登录 {site}。其计数器显示可能存在副本，因此登录被拒绝。\n请移除此通行密钥，并添加新的通行密钥。',
  mailButton: '检查通行密钥',

  mailSignUpSubject: '请确认您在 {site} 的电子邮件地址',
  mailSignUpText:
    '有人用此地址在 {site} 注册。\n请在一小时内确认该地址以创建账号。在注册时使用的浏览器中，您也可以输入此验证码：\n{code}\n如果不是您本人，请忽略此邮件。不会创建账号。',
  mailSignUpButton: '确认电子邮件地址',
  mailExistsSubject: '您在 {site} 已有账号',
  mailExistsText:
    '有人用此地址在 {site} 注册，而该地址已有账号。\n请用您之前的方式登录。\n如果不是您本人，请忽略此邮件。没有任何更改。',
  mailExistsButton: '登录'
})
