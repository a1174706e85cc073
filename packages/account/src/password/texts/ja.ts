import type { TextKey } from './en.ts'

export const ja = (): Readonly<Record<TextKey, string>> => ({
  name: 'パスワード',
  email: 'メールアドレス',
  password: 'パスワード',
  newPassword: '新しいパスワード',
  currentPassword: '現在のパスワード',
  code: 'コード',
  signIn: 'ログイン',
  createAccount: 'アカウントを作成',
  remember: 'ログインしたままにする',
  forgotPassword: 'パスワードをお忘れですか？',
  summarySet: '設定済み',
  toAccount: 'アカウントに戻る',
  summaryNone: '未設定',
  section: 'パスワード',

  signUpText: 'アドレスを確認するメールが届きます。アカウントはその後に作成されます。',
  passwordHint: '{minLength} 文字以上。文にすると覚えやすくなります。',
  strengthShort: '短すぎます',
  strengthFair: '十分なパスワードです。長いほど安全です。',
  strengthGood: '良いパスワードです。',
  strengthStrong: '強力なパスワードです。',
  continue: '続ける',

  checkMail: 'メールを確認してください',
  checkMailText: 'このアドレスにメールを送信しました。メールのリンクを開くか、コードをここに入力してください。',
  checkMailReset: 'このアドレスにメールを送信しました。メールのリンクを開いて続けてください。',
  startAgain: '最初からやり直す',

  confirm: 'メールアドレスの確認',
  confirmText: 'このアドレスでアカウントが作成され、ログインします。',
  confirmExisting: 'このアドレスのアカウントにログインします。',
  confirmUnused:
    'このアドレスのアカウントはすでにあります。そのアカウントにログインし、設定したパスワードは使用されません。',
  choose: 'パスワードを選択',
  chooseText: 'このブラウザでは登録されていません。新しいアカウントのパスワードを選択してください。',
  confirmSubmit: '確認してログイン',

  forgot: 'パスワードをお忘れですか？',
  forgotText: 'メールアドレスを入力してください。新しいパスワードを選ぶためのリンクが届きます。',
  reset: '新しいパスワードを選択',
  resetText: 'すべてのデバイスからログアウトします。その後、新しいパスワードでログインできます。',
  save: 'パスワードを保存',

  change: 'パスワードを変更',
  changeText: 'ここではログインしたままで、ほかのすべての場所からログアウトします。',
  set: 'パスワードを設定',
  setText: '設定すると、メールアドレスとこのパスワードでもログインできます。',
  unavailable: 'パスワードを設定できません',
  unavailableText: 'パスワードには確認済みのメールアドレスが必要です。',
  changed: 'パスワードが変更されました',
  changedText: '今後は新しいパスワードを使用してください。',
  toSite: '続ける',

  gone: 'このリンクは無効です',
  goneText: '使用済みか、期限切れか、その後に何かが変更されました。新しいリンクを請求してください。',
  used: 'すでに完了しています',
  usedText: 'このリンクはすでに使用されています。もう必要ありません。',

  emailLetters: 'メールアドレスの @ より前には、アクセント記号のない半角英字と数字、記号だけを使えます。',
  emailInvalid: 'ada@example.com のようなメールアドレスを入力してください。',
  codeWrong: 'コードが違います。最新のメールを確認してください。',
  characters: 'パスワードに使用できない文字が含まれています。',
  tooShort: '{minLength} 文字以上にしてください。',
  tooLong: '256 文字以内にしてください。',
  tooCommon: 'このパスワードは多くの人が使っています。別のものを選んでください。',
  isAddress: 'アドレスやサイト名をパスワードにしないでください。',
  breached: 'このパスワードはデータ漏洩で知られています。別のものを選んでください。',
  currentWrong: '現在のパスワードと違います。',
  conflict: 'パスワードは別のリクエストで変更されました。もう一度お試しください。',

  mailSignUpSubject: '{site} のメールアドレスを確認してください',
  mailSignUpText:
    'このアドレスで {site} への登録がありました。\nアカウントを作成するには、1 時間以内にアドレスを確認してください。登録したブラウザでは、次のコードも入力できます。\n{code}\nお心当たりがない場合は、このメールを無視してください。アカウントは作成されません。',
  mailSignUpButton: 'メールアドレスを確認',
  mailExistsSubject: '{site} のアカウントはすでにあります',
  mailExistsText:
    'このアドレスで {site} への登録がありましたが、アカウントがすでにあります。\nログインするか、パスワードを忘れた場合は新しいものを選んでください。\nお心当たりがない場合は、このメールを無視してください。何も変更されていません。',
  mailExistsButton: 'ログイン',
  mailResetSubject: '{site} の新しいパスワードを選択してください',
  mailResetText:
    '{site} のアカウントについて、新しいパスワードの請求がありました。\n1 時間以内に選択してください。その後、すべてのデバイスからログアウトします。\nお心当たりがない場合は、このメールを無視してください。パスワードはそのままです。',
  mailResetButton: '新しいパスワードを選択',
  mailConfirmSubject: '{site} へのログイン',
  mailConfirmText:
    '{site} の新しいパスワードの請求がありました。このアカウントのアドレスはまだ確認されていません。\nログインするには、1 時間以内に確認してください。その後、パスワードを設定できます。\nお心当たりがない場合は、このメールを無視してください。',
  mailConfirmButton: 'メールアドレスを確認',
  mailUnknownSubject: '{site} にアカウントがありません',
  mailUnknownText:
    '{site} の新しいパスワードの請求がありましたが、このアドレスのアカウントはありません。\n別のアドレスで登録した可能性があります。\nお心当たりがない場合は、このメールを無視してください。',
  mailUnknownButton: 'アカウントを作成',
  mailChangedSubject: '{site} のパスワードが変更されました',
  mailChangedText:
    '{site} のアカウントのパスワードが {time} に、アドレス {client} から変更されました。\nお心当たりがない場合は、すぐに新しいパスワードを選んでください。ほかの全員がログアウトします。',
  mailChangedButton: '新しいパスワードを選択'
})
