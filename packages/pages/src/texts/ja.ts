import { durations } from './duration.ts'
import type { Texts } from './texts.ts'

/** Japanese. */
export const ja: Texts = {
  lang: 'ja',
  dir: 'ltr',
  unread: 'all',
  titles: {
    signin: 'ログイン',
    signout: 'ログアウト',
    'verify-request': 'メールをご確認ください',
    confirm: 'ログインの確認',
    error: 'エラー',
    'start-again': '最初からやり直す',
    'other-user': 'すでにログインしています',
    'used-link': 'すでにログインしています',
    'confirm-link': 'アカウントを連携',
    welcome: 'ようこそ'
  },
  failed: (title) => `エラー：${title}`,
  reference: (id) => `お問い合わせ番号: ${id}`,
  support: 'サポートに問い合わせる',
  duration: durations('ja', {
    second: { other: '#秒' },
    minute: { other: '#分' },
    hour: { other: '#時間' },
    day: { other: '#日' }
  }),
  signIn: {
    heading: 'ログイン',
    lead: (siteName) => `${siteName} に進みます`,
    submit: (provider) => `${provider} でログイン`,
    byEmail: 'ログイン用リンクをメールで受け取る',
    byEmailInstead: '代わりにリンクをメールで受け取る',
    byCode: 'ログイン用コードをメールで受け取る',
    byCodeInstead: '代わりにコードをメールで受け取る',
    byCredentials: 'ログイン情報を入力してログイン',
    email: 'メールアドレス',
    emailExample: 'name@example.com',
    or: 'または',
    none: 'ここではまだログインできる方法がありません。',
    next: '続ける',
    newHere: 'はじめてですか？',
    lastUsed: '前回使用',
    showPassword: 'パスワードを表示',
    more: 'ほかのログイン方法',
    continueAs: (user) => `${user} として続ける`,
    anotherAccount: '別のアカウントを使う',
    wrongPassword: {
      text: 'メールアドレスまたはパスワードが正しくありません。',
      next: '両方を確認して、もう一度お試しください。'
    },
    limited: { text: '試行回数が多すぎます。', next: 'または、今すぐ別の方法でログインしてください。' }
  },
  stepUp: {
    heading: '本人確認',
    lead: '続けるには、同じアカウントでもう一度ログインしてください。',
    repeat: 'その後、フォームをもう一度送信してください。',
    mail: (address) => `${address} にコードを送信`,
    none: 'ここでは本人確認ができる方法がありません。',
    another: '別の方法',
    notNow: '後で',
    wrongPassword: { text: 'パスワードが正しくありません。', next: 'もう一度お試しください。' }
  },
  codes: {},
  problems: {
    Signin: {
      text: 'ログインを完了できませんでした。',
      next: 'もう一度お試しになるか、別のアカウントでログインしてください。'
    },
    OAuthSignin: {
      text: 'ログインを開始できませんでした。',
      next: 'しばらくしてからもう一度お試しになるか、別のアカウントでログインしてください。'
    },
    OAuthCallback: {
      text: 'ログインサービスからの応答を受け付けられませんでした。',
      next: 'もう一度お試しになるか、別のアカウントでログインしてください。'
    },
    OAuthCreateAccount: {
      text: 'アカウントを作成できませんでした。',
      next: 'しばらくしてからもう一度お試しになるか、別のアカウントでログインしてください。'
    },
    EmailCreateAccount: {
      text: 'このメールアドレスではアカウントを作成できませんでした。',
      next: 'しばらくしてからもう一度お試しになるか、別のアドレスをお使いください。'
    },
    Callback: {
      text: 'ログインの途中で問題が発生しました。',
      next: 'もう一度お試しになるか、別のアカウントでログインしてください。'
    },
    OAuthAccountNotLinked: {
      text: '以前こちらでお使いになったアカウントではありません。',
      next: 'ご本人であることを確認するため、最初にお使いになったアカウントでログインしてください。'
    },
    EmailSignin: {
      text: 'メールを送信できませんでした。',
      next: 'アドレスをご確認のうえ、しばらくしてからもう一度お試しください。'
    },
    CredentialsSignin: {
      text: 'ログインできませんでした。',
      next: '入力した内容が正しいかご確認ください。'
    },
    SessionRequired: {
      text: 'このページを表示するにはログインしてください。',
      next: 'ログイン後、このページに戻ります。'
    },
    UnmetRequirements: {
      text: 'このログイン方法では確認が不十分でした。',
      next: 'もう一度ログインするか、別の方法をお使いください。'
    },
    DifferentUser: {
      text: 'このアカウントは別の人のものか、ここでは登録されていません。',
      next: 'ログイン中のユーザーのアカウントを使うか、先にログアウトしてください。'
    },
    Default: {
      text: 'ログインできません。',
      next: 'もう一度お試しになるか、別のアカウントでログインしてください。'
    }
  },
  reasons: {
    'session-expired': { text: 'セッションの有効期限が切れました。', next: 'もう一度ログインしてください。' },
    'signed-out': {
      text: 'ログアウトしました。',
      next: '続けるにはもう一度ログインしてください。'
    },
    invalid: {
      text: '有効なメールアドレスを入力してください。',
      next: '入力に誤りがないかご確認ください。'
    },
    'non-ascii': {
      text: 'メールアドレスの @ より前には、アクセント記号のない半角英字と数字、記号だけを使えます。',
      next: '別のメールアドレスをご利用ください。'
    },
    captcha: {
      text: '人による操作であることを確認できませんでした。',
      next: 'もう一度お試しください。'
    },
    cancelled: {
      text: 'ログインをキャンセルしました。',
      next: '何も変更されていません。いつでもログインできます。'
    },
    expired: { text: 'ログインに時間がかかりすぎました。', next: '最初からやり直してください。' },
    unavailable: {
      text: 'ログインサービスが現在応答していません。',
      next: '数分後にもう一度お試しください。'
    },
    misconfigured: {
      text: 'このログイン方法は正しく設定されていません。',
      next: 'お手数ですが、このサイトの運営者にお知らせください。'
    }
  },
  signOut: {
    heading: 'ログアウト',
    question: 'ログアウトしてもよろしいですか？',
    submit: 'ログアウト',
    stay: 'ログインしたままにする'
  },
  verifyRequest: {
    heading: 'メールをご確認ください',
    link: 'ログイン用のリンクをメールでお送りしました。',
    mail: 'ログイン用のメールをお送りしました。メールを開いてください。メールに書かれたコードを使う場合は、このページに戻ってください。',
    codeOnly: 'メールでコードをお送りしました。ここに入力してログインしてください。',
    codeElsewhere: 'メールでコードをお送りしました。コードをリクエストしたブラウザで入力してください。',
    code: 'メールに書かれたコード',
    codeHint: (letters) =>
      `英字${letters}文字です。大文字と小文字は区別されません。空白やハイフンが入っていてもかまいません。`,
    wrong: { text: 'コードが正しくありません。', next: '最新のメールと見比べて、もう一度お試しください。' },
    triesLeft: (left) => (left === 1 ? 'あと1回入力できます。' : `あと${left}回入力できます。`),
    spent: '誤ったコードが何度も入力されたため、このメールは使えなくなりました。',
    sendNew: (address) => `${address} に新しいメールを送る`,
    submit: 'ログイン',
    missing: '1分たっても届かない場合は、迷惑メールフォルダをご確認ください。',
    again: '新しいメールを送る',
    otherAddress: '別のアドレスを使う'
  },
  confirm: {
    heading: 'ご本人ですか？',
    lead: (siteName) => `${siteName} にログインするリンクを開きました。ログインするアカウント:`,
    submit: 'はい、ログインします',
    warning: 'このメールに心当たりがない場合は、このページを閉じてください。まだ誰もログインしていません。'
  },
  errors: {
    Configuration: {
      heading: 'サーバーエラー',
      text: 'サーバーの設定に問題があります。',
      next: 'お客様の操作が原因ではありません。後でもう一度お試しになるか、このサイトの運営者にお知らせください。',
      action: 'ログインに戻る'
    },
    AccessDenied: {
      heading: 'アクセスできません',
      text: 'ログインする権限がありません。',
      next: '別のアカウントをお持ちの場合は、そちらでお試しください。',
      action: 'ログイン'
    },
    PermissionRequired: {
      heading: '権限がありません',
      text: 'この操作を行う権限がありません。',
      next: 'この権限を持つ別のアカウントをお持ちの場合は、そちらをご利用ください。',
      action: '別のアカウントを使う'
    },
    Verification: {
      heading: 'ログインできません',
      text: 'このログイン用リンクは無効です。すでに使用されたか、有効期限が切れた可能性があります。',
      next: 'もう一度ログインすると、新しいリンクが届きます。',
      action: 'ログイン'
    },
    ImpersonationForbidden: {
      heading: '他のユーザーとしては実行できません',
      text: '他のユーザーとしてログインしています。この操作はそのユーザー本人だけが行えます。',
      next: 'そのユーザーとしての操作を終了してから、ご自身のアカウントでログインしてください。',
      action: 'ログインに戻る'
    },
    UserSuspended: {
      heading: 'アカウントが停止されています',
      text: 'このアカウントは停止されているため、ログインできません。',
      next: '誤りと思われる場合は、このサイトの運営者にお問い合わせください。',
      action: 'ログインに戻る'
    },
    RateLimited: {
      heading: '試行回数が多すぎます',
      text: '短い時間に何度もログインが試みられたため、アカウントの保護のために一時停止しています。',
      next: 'しばらく待ってから、もう一度お試しください。',
      action: 'ログインに戻る'
    },
    StoreConflict: {
      heading: 'データが一致しません',
      text: 'このサイトにはすでに矛盾するデータがあるため、何も保存されませんでした。',
      next: 'このサイトの運営者にお問い合わせください。',
      action: 'ログインに戻る'
    },
    UserReferenced: {
      heading: 'アカウントはまだ使われています',
      text: 'このサイトにこのアカウントに関連するデータが残っているため、アカウントを削除できません。削除や終了は行われていません。',
      next: 'このサイトの運営者にお問い合わせください。',
      action: 'ログインに戻る'
    },
    StoreUnavailable: {
      heading: '少しお待ちください',
      text: 'このサイトの一部が応答していないため、現在ログインできません。',
      next: 'ログアウトはされていません。1分ほどしてからもう一度お試しください。',
      action: 'もう一度試す'
    },
    NotFound: {
      heading: 'ページが見つかりません',
      text: 'このアドレスにページはありません。',
      next: 'アドレスの入力が間違っているか、古くなっている可能性があります。',
      action: 'ログインに戻る'
    },
    Default: {
      heading: 'エラー',
      text: '問題が発生しました。',
      next: 'もう一度お試しください。繰り返し起きる場合は、このサイトの運営者にお知らせください。',
      action: 'ログイン'
    }
  },
  wait: (duration) => `${duration}ほど待ってから、もう一度お試しください。`,
  startAgain: {
    heading: '最初からやり直しましょう',
    text: 'ログインに時間がかかりすぎたか、別のブラウザで開始されたようです。何も変更されていません。'
  },
  otherUser: {
    heading: 'すでにログインしています',
    user: 'このブラウザで現在ログインしているアカウント:',
    text: (provider) =>
      `その前に ${provider} でのログインが始まっていましたが、混同を避けるため中断しました。このまま続けるか、最初からやり直してください。`,
    stay: 'このまま続ける'
  },
  confirmLink: {
    heading: 'このアカウントを連携しますか?',
    user: '現在ログインしているアカウント:',
    account: (provider) => `${provider} のアカウント:`,
    text: (provider) =>
      `連携すると、この ${provider} アカウントにログインできる人は、ここにもログインできるようになります。両方ともご自身のものである場合のみ続けてください。`,
    submit: '連携する',
    stay: '後で'
  },
  toSite: (siteName) => `${siteName} に戻る`,
  usedLink: {
    heading: 'すでにログインしています',
    user: '現在ログインしているアカウント:',
    text: 'このログイン用リンクはすでに使用されたか、有効期限が切れています。もう必要ありません。',
    submit: '続ける'
  },
  welcome: {
    heading: (user) => (user === null ? 'ようこそ' : `ようこそ、${user} さん`),
    text: (siteName) => `${siteName} のアカウントの準備ができました。`,
    submit: '続ける'
  },
  mail: {
    subject: (siteName) => `${siteName} へのログイン`,
    heading: (siteName) => `${siteName} へのログイン`,
    identifier: 'ログインするアカウント',
    submit: 'ログイン',
    link: 'ボタンが使えない場合は、このアドレスをブラウザで開いてください:',
    code: 'このメールをリクエストしたページで、次のコードを入力してください:',
    orCode: 'または、このメールをリクエストしたページで、次のコードを入力してください:',
    expiry: (duration) => `有効期間は${duration}で、使えるのは1回だけです。`,
    requested: (details) => `リクエスト: ${details}`,
    ignore: 'このメールに心当たりがない場合は、破棄してください。このメールがなければ誰もログインできません。'
  }
}
