import { durations } from './duration.ts'
import type { Texts } from './texts.ts'

/** Chinese (simplified). */
export const zh: Texts = {
  lang: 'zh-Hans',
  dir: 'ltr',
  unread: 'all',
  titles: {
    signin: '登录',
    signout: '退出登录',
    'verify-request': '请查收邮件',
    confirm: '确认登录',
    error: '出错了',
    'start-again': '重新开始',
    'other-user': '已经登录',
    'used-link': '已经登录',
    'confirm-link': '关联账号',
    welcome: '欢迎'
  },
  failed: (title) => `错误：${title}`,
  reference: (id) => `参考编号：${id}`,
  support: '联系支持团队',
  duration: durations('zh', {
    second: { other: '# 秒' },
    minute: { other: '# 分钟' },
    hour: { other: '# 小时' },
    day: { other: '# 天' }
  }),
  signIn: {
    heading: '登录',
    lead: (siteName) => `继续访问 ${siteName}`,
    submit: (provider) => `使用 ${provider} 登录`,
    byEmail: '通过邮件接收登录链接',
    byEmailInstead: '改为通过邮件接收链接',
    byCode: '通过邮件接收登录验证码',
    byCodeInstead: '改为通过邮件接收验证码',
    byCredentials: '使用账号信息登录',
    email: '电子邮件地址',
    emailExample: 'name@example.com',
    or: '或',
    none: '这里目前还没有可用的登录方式。',
    next: '继续',
    newHere: '第一次来？',
    lastUsed: '上次使用',
    showPassword: '显示密码',
    more: '更多登录方式',
    continueAs: (user) => `以 ${user} 的身份继续`,
    anotherAccount: '使用其他账号',
    wrongPassword: { text: '电子邮件地址或密码不正确。', next: '请核对后重试。' },
    limited: { text: '尝试次数过多。', next: '或者现在改用其他方式登录。' }
  },
  stepUp: {
    heading: '请确认是您本人',
    lead: '要继续，请使用同一账号重新登录。',
    repeat: '之后请重新提交表单。',
    mail: (address) => `发送验证码到 ${address}`,
    none: '这里没有可用的确认方式。',
    another: '其他方式',
    notNow: '暂不',
    wrongPassword: { text: '密码不正确。', next: '请重试。' }
  },
  codes: {},
  problems: {
    Signin: {
      text: '登录未能完成。',
      next: '请重试，或使用其他账号登录。'
    },
    OAuthSignin: {
      text: '登录未能开始。',
      next: '请稍后重试，或使用其他账号登录。'
    },
    OAuthCallback: {
      text: '无法接受登录服务的应答。',
      next: '请重试，或使用其他账号登录。'
    },
    OAuthCreateAccount: {
      text: '未能为您创建账号。',
      next: '请稍后重试，或使用其他账号登录。'
    },
    EmailCreateAccount: {
      text: '未能用此电子邮件地址创建账号。',
      next: '请稍后重试，或使用其他地址。'
    },
    Callback: {
      text: '登录过程中出现了问题。',
      next: '请重试，或使用其他账号登录。'
    },
    OAuthAccountNotLinked: {
      text: '这不是您之前在此使用的账号。',
      next: '为确认您的身份，请使用您最初使用的账号登录。'
    },
    EmailSignin: {
      text: '邮件未能发送。',
      next: '请检查地址，稍后重试。'
    },
    CredentialsSignin: {
      text: '登录失败。',
      next: '请检查您填写的信息是否正确。'
    },
    SessionRequired: {
      text: '请登录后访问此页面。',
      next: '登录后您将回到此页面。'
    },
    UnmetRequirements: {
      text: '此登录方式提供的确认不足。',
      next: '请在那里重新登录，或使用其他方式。'
    },
    DifferentUser: {
      text: '此账号属于其他人，或在此处未知。',
      next: '请使用当前登录用户的账号，或先退出登录。'
    },
    Default: {
      text: '无法登录。',
      next: '请重试，或使用其他账号登录。'
    }
  },
  reasons: {
    'session-expired': { text: '您的会话已过期。', next: '请重新登录。' },
    'signed-out': {
      text: '您已退出登录。',
      next: '如需继续，请重新登录。'
    },
    invalid: {
      text: '请输入有效的电子邮件地址。',
      next: '请检查是否有输入错误。'
    },
    'non-ascii': {
      text: '电子邮件地址的 @ 之前只支持不带变音符号的英文字母、数字和符号。',
      next: '请使用其他地址。'
    },
    captcha: {
      text: '未能确认您是真人。',
      next: '请重试。'
    },
    cancelled: {
      text: '您取消了登录。',
      next: '没有任何改动。您可以随时登录。'
    },
    expired: { text: '登录用时过长。', next: '请重新开始。' },
    unavailable: {
      text: '登录服务暂时没有响应。',
      next: '请过几分钟再试。'
    },
    misconfigured: {
      text: '此登录方式的设置有误。',
      next: '请告知本网站的管理者。'
    }
  },
  signOut: {
    heading: '退出登录',
    question: '您确定要退出登录吗？',
    submit: '退出登录',
    stay: '保持登录'
  },
  verifyRequest: {
    heading: '请查收邮件',
    link: '登录链接已发送到您的电子邮件地址。',
    mail: '登录邮件已发送到您的电子邮件地址。请打开邮件；如果想使用其中的验证码，请回到此页面。',
    codeOnly: '验证码已发送到您的电子邮件地址。请在此输入以登录。',
    codeElsewhere: '验证码已通过邮件发送。请在您请求验证码的浏览器中输入。',
    code: '邮件中的验证码',
    codeHint: (letters) => `${letters} 个字母，不区分大小写，空格和短横线可有可无。`,
    wrong: { text: '验证码不正确。', next: '请与最新的邮件核对后重试。' },
    triesLeft: (left) => (left === 1 ? '还可尝试 1 次。' : `还可尝试 ${left} 次。`),
    spent: '错误的验证码过多，这封邮件已失效。',
    sendNew: (address) => `重新发送邮件至 ${address}`,
    submit: '登录',
    missing: '一分钟后仍未收到？请查看垃圾邮件文件夹。',
    again: '重新发送邮件',
    otherAddress: '使用其他地址'
  },
  confirm: {
    heading: '是您本人吗？',
    lead: (siteName) => `您打开了一个登录 ${siteName} 的链接，登录身份为：`,
    submit: '是的，登录',
    warning: '如果您没有请求这封邮件，请关闭此页面。目前没有人登录。'
  },
  errors: {
    Configuration: {
      heading: '服务器错误',
      text: '服务器的设置有问题。',
      next: '这不是您的问题。请稍后重试，或告知本网站的管理者。',
      action: '返回登录'
    },
    AccessDenied: {
      heading: '无法访问',
      text: '您没有登录权限。',
      next: '如果您有其他账号，请换一个账号试试。',
      action: '登录'
    },
    PermissionRequired: {
      heading: '没有权限',
      text: '您没有执行此操作的权限。',
      next: '如果您有另一个拥有此权限的账号，请使用该账号。',
      action: '使用其他账号'
    },
    Verification: {
      heading: '无法登录',
      text: '登录链接已失效，可能已被使用过，或已过期。',
      next: '请重新登录以获取新的链接。',
      action: '登录'
    },
    ImpersonationForbidden: {
      heading: '不能以其他用户身份操作',
      text: '您正以其他用户的身份登录。只有该用户本人才能执行此操作。',
      next: '请先停止以该用户身份操作，然后用您自己的账号登录。',
      action: '返回登录'
    },
    UserSuspended: {
      heading: '账号已停用',
      text: '此账号已被停用，无法用它登录。',
      next: '如果您认为这是误操作，请联系本网站的管理者。',
      action: '返回登录'
    },
    RateLimited: {
      heading: '尝试次数过多',
      text: '短时间内的登录尝试过多。为保护账号安全，我们暂停了登录。',
      next: '请稍等片刻再试。',
      action: '返回登录'
    },
    StoreConflict: {
      heading: '数据有冲突',
      text: '本网站已有与此冲突的数据，因此没有保存任何内容。',
      next: '请联系本网站的管理者。',
      action: '返回登录'
    },
    UserReferenced: {
      heading: '账号仍在使用',
      text: '本网站仍有属于此账号的数据，因此无法删除此账号。没有删除或结束任何内容。',
      next: '请联系本网站的管理者。',
      action: '返回登录'
    },
    StoreUnavailable: {
      heading: '马上回来',
      text: '本网站的一部分没有响应，暂时无法登录。',
      next: '您没有被退出登录。请一分钟后重试。',
      action: '重试'
    },
    NotFound: {
      heading: '找不到页面',
      text: '此地址没有页面。',
      next: '地址可能有误，或已失效。',
      action: '返回登录'
    },
    Default: {
      heading: '出错了',
      text: '出现了问题。',
      next: '请重试。如果再次发生，请告知本网站的管理者。',
      action: '登录'
    }
  },
  wait: (duration) => `请等待 ${duration}后重试。`,
  startAgain: {
    heading: '让我们重新开始',
    text: '此次登录用时过长，或是在另一个浏览器中开始的。没有任何改动。'
  },
  otherUser: {
    heading: '您已经登录',
    user: '此浏览器当前登录的账号：',
    text: (provider) =>
      `在此之前，您曾开始使用 ${provider} 登录。为避免混淆，该登录已中止。您可以继续，也可以重新开始。`,
    stay: '继续'
  },
  confirmLink: {
    heading: '要关联此账号吗？',
    user: '您当前登录的账号：',
    account: (provider) => `您的 ${provider} 账号：`,
    text: (provider) => `关联后，能登录此 ${provider} 账号的人也能登录这里。仅当两个账号都属于您时才继续。`,
    submit: '关联',
    stay: '暂不'
  },
  toSite: (siteName) => `返回 ${siteName}`,
  usedLink: {
    heading: '您已经登录',
    user: '您当前登录的账号：',
    text: '此登录链接已被使用过，或已过期。您不再需要它。',
    submit: '继续'
  },
  welcome: {
    heading: (user) => (user === null ? '欢迎' : `欢迎，${user}`),
    text: (siteName) => `您在 ${siteName} 的账号已准备就绪。`,
    submit: '继续'
  },
  mail: {
    subject: (siteName) => `登录 ${siteName}`,
    heading: (siteName) => `登录 ${siteName}`,
    identifier: '您将以此身份登录',
    submit: '登录',
    link: '如果按钮无法使用，请在浏览器中打开此地址：',
    code: '请在您请求这封邮件的页面上输入此验证码：',
    orCode: '或者，请在您请求这封邮件的页面上输入此验证码：',
    expiry: (duration) => `${duration}内有效，且只能使用一次。`,
    requested: (details) => `请求信息：${details}`,
    ignore: '如果您没有请求这封邮件，请忽略它。没有这封邮件，任何人都无法登录。'
  }
}
