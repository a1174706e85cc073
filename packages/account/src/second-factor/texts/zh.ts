import { zh as mailedCode } from '../../mail/texts/zh.ts'
import type { TextKey } from './en.ts'

export const zh: Readonly<Record<TextKey, string>> = {
  ...mailedCode,
  locale: 'zh-Hans',
  summaryOn: '已开启',
  toAccount: '返回账号',
  summaryOff: '已关闭',
  section: '两步验证',
  factorsText: '设置两步验证后，仅知道您的密码或仅能读取您邮件的人都无法登录。',
  app: '身份验证器应用',
  appAdded: '设置于 {date}。',
  appUsed: '上次使用于 {date}。',
  noApp: '未设置身份验证器应用。',
  start: '设置身份验证器应用',
  remove: '移除身份验证器应用',
  removeText: '您的恢复代码也会被移除，并且您将在其他所有地方退出登录。',
  codesLeft: '剩余恢复代码：{left}。',
  codesFew: '您的恢复代码所剩不多。请创建新的恢复代码。',
  createCodes: '创建新的恢复代码',
  createCodesText: '您现有的恢复代码将失效。',
  verify: '确认是您本人以进行更改',
  anyCode: '应用中的验证码，或恢复代码',

  enroll: '设置身份验证器应用',
  enrollText: '请使用手机上的身份验证器应用扫描二维码，然后输入应用显示的验证码。',
  enrollRequired: '此网站要求两步验证。',
  qrCode: '用于身份验证器应用的二维码',
  key: '或在应用中输入此密钥：',
  code: '应用中的验证码',
  codeHint: '六位数字',
  confirm: '确认',
  mailText:
    '请先通过邮件获取验证码，以确保只有您本人可以设置应用。如果您在过去 7 天内更改过电子邮件地址，验证码会发送到之前的地址。',

  codes: '您的恢复代码',
  codesText:
    '您可以用其中一个恢复代码代替应用登录，例如在手机丢失时。每个代码只能使用一次。请妥善保管：它们仅在此时显示。',
  codesShown: '您的恢复代码已经显示过。如果您没有保存，请在登录后创建新的恢复代码。',
  codesDownload: '下载恢复代码',
  codesSaved: '我已保存恢复代码',
  back: '两步验证',

  challenge: '确认是您本人',
  challengeText: '请输入身份验证器应用当前显示的验证码。',
  challengePasskey: '请使用您的通行密钥以继续。',
  challengeOther: '请使用通行密钥或恢复代码以继续。',
  challengeRecovery: '请使用恢复代码以继续。',
  challengeNone: '请用其他方式登录，或联系本网站的管理者。',
  exhaustedText: '您的账号被多次输入错误的验证码，因此还需要邮件中的验证码。',
  continue: '继续',
  trust: '{days}内不再在此浏览器中询问',
  usePasskey: '使用通行密钥',
  passkeyCancelled: '未使用通行密钥。请重试，或使用其他方式。',
  needsScript: '通行密钥需要 JavaScript 和支持它的浏览器。',
  useRecoveryCode: '使用恢复代码',
  recoveryCode: '恢复代码',
  recoveryHint: '十位字母和数字',

  codeWrong: '验证码错误、已被使用或已过期。请输入应用当前显示的验证码。',
  recoveryWrong: '此恢复代码错误或已被使用。',
  anyWrong: '代码错误或已被使用。',
  passkeyWrong: '无法使用该通行密钥。请重试，或使用其他方式。',
  exhausted: '错误的验证码输入次数过多，因此仅凭应用中的验证码无法通过验证。',
  expired: '用时过长。请重新开始。',
  conflict: '两步验证已被另一个请求更改。请重试。',
  unverified: '要设置两步验证，请先验证您的电子邮件地址。',
  changed: '电子邮件地址在 7 天之内更改过。要现在设置两步验证，请使用更改之前已有的账号、通行密钥或密码登录。',

  unavailable: '您无法设置两步验证',
  unavailableText: '您当前登录的账号未存储在此处。',
  signIn: '登录',

  mailCodeSubject: '您在 {site} 的验证码',
  mailCodeText:
    '有人正在登录您在 {site} 的账号，或为其设置身份验证器应用或通行密钥。需要此验证码才能继续：\n{code}\n如果不是您本人，请勿将验证码告诉任何人，并更改您的密码。',
  mailAddedSubject: '您在 {site} 的账号已开启两步验证',
  mailAddedText:
    '您在 {site} 的账号已于 {time} 从地址 {client} 设置了身份验证器应用。\n如果不是您本人，请立即联系 {site} 的支持团队。',
  mailRemovedSubject: '您在 {site} 的账号已关闭两步验证',
  mailRemovedText:
    '身份验证器应用和恢复代码已于 {time} 从地址 {client} 自您在 {site} 的账号中移除。\n如果不是您本人，请立即登录并设置身份验证器应用。',
  mailUsedSubject: '您在 {site} 的账号的恢复代码已被使用',
  mailUsedText:
    '您在 {site} 的账号的一个恢复代码已于 {time} 从地址 {client} 被使用。剩余恢复代码：{left}。\n如果不是您本人，请登录、更改密码并创建新的恢复代码。',
  mailRenewedSubject: '您在 {site} 的账号已创建新的恢复代码',
  mailRenewedText:
    '您在 {site} 的账号的新恢复代码已于 {time} 从地址 {client} 创建。之前的恢复代码已失效。\n如果不是您本人，请登录、更改密码并创建新的恢复代码。',
  mailResetSubject: '您在 {site} 的账号的两步验证已被重置',
  mailResetText:
    '{site} 的支持团队已于 {time} 移除您账号的身份验证器应用和恢复代码。您已在所有地方退出登录。\n如果您没有提出此要求，请立即联系支持团队。',
  mailButton: '检查两步验证'
}
