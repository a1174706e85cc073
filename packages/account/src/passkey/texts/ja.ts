import { ja as mailedCode } from '../../mail/texts/ja.ts'
import type { TextKey } from './en.ts'

export const ja = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'ja',
  name: 'パスキー',
  signIn: 'パスキーでログイン',
  signInText: 'デバイスが指紋、顔、または画面ロックの確認を求めます。',
  needsScript: 'パスキーには、JavaScript と、パスキーに対応したブラウザが必要です。',
  otherWays: 'ほかのログイン方法',
  noneHere: 'ここにパスキーがありませんか？スマートフォンまたはほかの方法を使用してください。',
  usePhone: 'スマートフォンを使用',
  offer: '次回からもっと早くログイン',
  offerText: 'パスキーを作成すると、指紋、顔、またはデバイスの画面ロックでログインできます。',
  notNow: '後で',
  neverAsk: '今後は表示しない',

  summary: '{names}',
  toAccount: 'アカウントに戻る',
  summaryNone: 'パスキーはありません',
  passkeys: 'パスキー',
  passkeysText: 'パスワードの代わりに、指紋、顔、またはデバイスの画面ロックでログインできます。',
  synced: '複数のデバイスで使用できます。',
  local: '1 台のデバイスにあります。',
  createdAt: '{date} に追加されました。',
  usedAt: '{date} に最後に使用されました。',
  add: 'パスキーを追加',
  verify: '変更するには本人確認をしてください',
  notCreated: 'パスキーは作成されませんでした。キャンセルされたか、時間がかかりすぎました。',
  existsText: 'このデバイスには、アカウントのパスキーがすでにあります。',
  existsNext: 'それを使ってログインできます。',
  expired: '時間がかかりすぎました。もう一度お試しください。',
  failed: 'パスキーを追加できませんでした。パスキーには、JavaScript と、パスキーに対応したブラウザが必要です。',
  exists: 'このパスキーはすでに追加されています。',
  tooMany: 'パスキーの数が上限に達しています。別のものを追加するには、1 つ削除してください。',
  unverified: 'パスキーを追加するには、先にメールアドレスを確認してください。',
  mailText:
    'パスキーを 2 段階認証にも使うには、先にメールでコードを受け取ってください。コードがない場合は、ログイン方法としてのみ使えます。',

  label: '名前',
  save: '名前を保存',
  remove: 'パスキーを削除',
  removeText: '削除すると、ほかのすべての場所からログアウトします。デバイスのパスキーも削除してください。',
  nameMissing: '名前を入力してください。',
  conflict: 'パスキーは別のリクエストで変更されました。もう一度お試しください。',
  lastWayIn: 'これが唯一のログイン方法です。削除する前に、別の方法を追加してください。',
  back: 'すべてのパスキー',
  unavailable: 'パスキーを使用できません',
  unavailableText: 'ログイン中のアカウントは、ここには保存されていません。',

  unknownText: 'このパスキーはここでは登録されていません。',
  unknownNext: '削除された可能性があります。別のパスキーを使うか、ほかの方法でログインしてください。',
  changedText: 'このパスキーは追加後に変わっています。',
  changedNext: 'ほかの方法でログインし、このパスキーを削除してから、もう一度追加してください。',
  expiredText: 'パスキーでのログインに時間がかかりすぎました。',
  expiredNext: 'もう一度お試しください。',

  createAccount: 'パスキーでアカウントを作成',
  signUpText: 'アドレスを確認するメールが届きます。アカウントはその後に作成されます。',
  email: 'メールアドレス',
  createPasskey: 'パスキーを作成',
  toSignIn: 'ログイン',

  checkMail: 'メールを確認してください',
  checkMailText: 'このアドレスにメールを送信しました。メールのリンクを開くか、コードをここに入力してください。',
  code: 'コード',
  continue: '続ける',
  startAgain: '最初からやり直す',
  emailLetters: 'メールアドレスの @ より前には、アクセント記号のない半角英字と数字、記号だけを使えます。',
  emailInvalid: 'ada@example.com のようなメールアドレスを入力してください。',
  codeWrong: 'コードが違います。最新のメールを確認してください。',

  confirm: 'メールアドレスの確認',
  confirmText: 'このアドレスでアカウントが作成され、ログインします。',
  confirmUnused:
    'このアドレスのアカウントはすでにあります。そのアカウントにログインし、作成したパスキーは使用されません。',
  confirmSubmit: '確認してログイン',
  createText:
    'このブラウザでは登録されていません。新しいアカウントのパスキーをここで作成するか、登録したブラウザでメールのコードを入力してください。',
  gone: 'このリンクは無効です',
  goneText: '使用済みか、期限切れか、その後に何かが変更されました。新しいリンクを請求してください。',
  used: 'すでに完了しています',
  usedText: 'このリンクはすでに使用されています。もう必要ありません。',

  mailAddedSubject: '{site} のアカウントにパスキーが追加されました',
  mailAddedText:
    'パスキー「{passkey}」が {time} に、アドレス {client} から {site} のアカウントに追加されました。\nお心当たりがない場合は、すぐに削除してください。ほかの全員がログアウトします。',
  mailRemovedSubject: '{site} のアカウントからパスキーが削除されました',
  mailRemovedText:
    'パスキー「{passkey}」が {time} に、アドレス {client} から {site} のアカウントより削除されました。\nお心当たりがない場合は、ログインして、アカウントのログイン方法を確認してください。',
  mailCopiedSubject: '{site} のパスキーがコピーされた可能性があります',
  mailCopiedText:
    '{time} に、アドレス {client} からパスキー「{passkey}」で {site} へのログインが試みられました。カウンターの値からコピーが存在する可能性があるため、ログインは拒否されました。\nこのパスキーを削除し、新しいパスキーを追加してください。',
  mailButton: 'パスキーを確認',

  mailSignUpSubject: '{site} のメールアドレスを確認してください',
  mailSignUpText:
    'このアドレスで {site} への登録がありました。\nアカウントを作成するには、1 時間以内にアドレスを確認してください。登録したブラウザでは、次のコードも入力できます。\n{code}\nお心当たりがない場合は、このメールを無視してください。アカウントは作成されません。',
  mailSignUpButton: 'メールアドレスを確認',
  mailExistsSubject: '{site} のアカウントはすでにあります',
  mailExistsText:
    'このアドレスで {site} への登録がありましたが、アカウントがすでにあります。\nこれまでと同じ方法でログインしてください。\nお心当たりがない場合は、このメールを無視してください。何も変更されていません。',
  mailExistsButton: 'ログイン'
})
