import { ja as mailedCode } from '../../mail/texts/ja.ts'
import type { TextKey } from './en.ts'

export const ja = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'ja',
  summaryOn: 'オン',
  toAccount: 'アカウントに戻る',
  summaryOff: 'オフ',
  section: '2 段階認証',
  factorsText: '2 段階認証を設定すると、パスワードを知っているだけの人や、メールを読めるだけの人はログインできません。',
  app: '認証アプリ',
  appAdded: '{date} に設定されました。',
  appUsed: '{date} に最後に使用されました。',
  noApp: '認証アプリは設定されていません。',
  start: '認証アプリを設定',
  remove: '認証アプリを削除',
  removeText: 'リカバリーコードも削除され、ほかのすべての場所からログアウトします。',
  removeAlone: 'ほかのすべての場所からログアウトします。',
  codesLeft: '残りのリカバリーコード: {left}。',
  codesFew: 'リカバリーコードが残り少なくなっています。新しいコードを作成してください。',
  codesMissing: 'リカバリーコードがありません。新しいコードを作成してください。',
  createCodes: '新しいリカバリーコードを作成',
  createCodesText: '現在のコードは使用できなくなります。',
  verify: '変更するには本人確認をしてください',
  anyCode: 'アプリのコードまたはリカバリーコード',

  enroll: '認証アプリを設定',
  enrollText: 'このキーをスマートフォンの認証アプリに追加してください。QR コードをスキャンするか、キーをコピーします。',
  enrollRequired: 'このサイトでは 2 段階認証が必要です。',
  qrCode: '認証アプリ用の QR コード',
  key: 'アプリ用のキー',
  code: 'アプリのコード',
  codeHint: '{digits} 桁の数字',
  confirm: '確認',
  confirmAddress: 'メールアドレスの確認',
  mailText: 'ご本人以外がアプリを設定できないように、先にメールでコードを受け取ってください。',

  codes: 'リカバリーコード',
  codesText:
    'スマートフォンをなくした場合などに、アプリの代わりにこれらのコードのいずれかでログインできます。各コードは 1 回だけ使用できます。安全な場所に保管してください。表示されるのは今回だけです。',
  codesShown:
    'リカバリーコードはすでに表示されました。保存していない場合は、ログイン後に新しいコードを作成してください。',
  codesDownload: 'コードをダウンロード',
  codesSaved: 'コードを保存しました',
  back: '2 段階認証',

  challenge: '本人確認をしてください',
  challengeText: '認証アプリに現在表示されているコードを入力してください。',
  challengePasskey: '続けるには、パスキーを使用してください。',
  challengeOther: '続けるには、パスキーまたはリカバリーコードを使用してください。',
  challengeRecovery: '続けるには、リカバリーコードを使用してください。',
  challengeNone: '別の方法でログインするか、このサイトの運営者にお問い合わせください。',
  exhaustedText: 'このアカウントで間違ったコードが何度も入力されたため、メールのコードも必要です。',
  continue: '続ける',
  trust: 'このブラウザでは {days}間、再度確認しない',
  usePasskey: 'パスキーを使用',
  needsScript: 'パスキーには、JavaScript と、パスキーに対応したブラウザが必要です。',
  useRecoveryCode: 'リカバリーコードを使用',
  recoveryCode: 'リカバリーコード',
  recoveryHint: '10 文字の英数字',

  codeWrong: 'コードが違うか、使用済みか、期限切れです。アプリに現在表示されているコードを入力してください。',
  recoveryWrong: 'リカバリーコードが違うか、使用済みです。',
  anyWrong: 'コードが違うか、使用済みです。',
  passkeyWrong: 'パスキーを使用できませんでした。もう一度お試しになるか、ほかの方法を使用してください。',
  passkeyChanged:
    'このパスキーは追加後に変わっています。ほかの方法を使用してから、このパスキーを削除し、もう一度追加してください。',
  exhausted: '間違ったコードの入力が多すぎるため、アプリのコードだけでは確認できません。',
  expired: '時間がかかりすぎました。最初からやり直してください。',
  conflict: '2 段階認証は別のリクエストで変更されました。もう一度お試しください。',
  unverified: '2 段階認証を設定するには、先にメールアドレスを確認してください。',

  unavailable: '2 段階認証を設定できません',
  unavailableText: 'ログイン中のアカウントは、ここには保存されていません。',
  signIn: 'ログイン',

  step: 'ステップ {step}/3',
  openApp: '認証アプリで開く',
  copy: 'コピー',
  copied: 'コピーしました',
  goBack: '戻る',
  codesPrint: '印刷',
  anotherAccount: '別のアカウントを使う',
  lost: 'スマートフォンもコードもなくしました',
  lostTitle: 'スマートフォンとコードをなくしましたか？',
  lostFactor: 'スマートフォンまたはパスキーをなくしましたか？',
  lostText:
    'まずリカバリーコードを探してください。ファイル {file}、紙の控え、パスワード管理アプリにあるかもしれません。',
  lostHelp:
    '見つからない場合は、このサイトの運営者にお問い合わせください。ご本人であることが確認されると、運営者はアカウントの 2 段階認証をオフにできます。',
  lostContact:
    'このサイトの運営者にお問い合わせください。ご本人であることが確認されると、運営者はアカウントの 2 段階認証をオフにできます。',
  support: 'サポートに問い合わせる',
  recoveryCodes: 'リカバリーコード一覧',
  recoveryText: 'スマートフォンをなくした場合に、リカバリーコードでログインできます。各コードは 1 回だけ使用できます。',
  noCodes: 'リカバリーコードはまだありません。',
  passkeys: 'パスキー',
  passkeysNotAsked:
    '認証アプリがない場合、ほかの方法でログインするときにパスキーは求められません。2 段階認証を有効にするには、アプリを設定してください。',

  mailCodeSubject: '{site} のコード',
  mailCodeText:
    '{site} のアカウントへのログイン、または認証アプリやパスキーの設定が行われています。続けるには、次のコードが必要です。\n{code}\nお心当たりがない場合は、コードを誰にも教えず、ログインに使うものを変更してください。',
  mailAddedSubject: '{site} のアカウントで 2 段階認証が有効になりました',
  mailAddedText:
    '認証アプリが {time} に、アドレス {client} から {site} のアカウントに設定されました。\nお心当たりがない場合は、すぐに {site} のサポートに連絡してください。',
  mailRemovedSubject: '{site} のアカウントで 2 段階認証が無効になりました',
  mailRemovedText:
    '認証アプリとリカバリーコードが {time} に、アドレス {client} から {site} のアカウントより削除されました。\nお心当たりがない場合は、ログインして、すぐに認証アプリを設定してください。',
  mailAppRemovedSubject: '{site} のアカウントから認証アプリが削除されました',
  mailAppRemovedText:
    '認証アプリが {time} に、アドレス {client} から {site} のアカウントより削除されました。\nお心当たりがない場合は、ログインして、すぐに認証アプリを設定してください。',
  mailUsedSubject: '{site} のアカウントのリカバリーコードが使用されました',
  mailUsedText:
    '{site} のアカウントのリカバリーコードが {time} に、アドレス {client} から使用されました。残りのリカバリーコード: {left}。\nお心当たりがない場合は、ログインして、ログインに使うものを変更し、新しいリカバリーコードを作成してください。',
  mailRenewedSubject: '{site} のアカウントの新しいリカバリーコードが作成されました',
  mailRenewedText:
    '{site} のアカウントの新しいリカバリーコードが {time} に、アドレス {client} から作成されました。以前のコードは使用できません。\nお心当たりがない場合は、ログインして、ログインに使うものを変更し、新しいリカバリーコードを作成してください。',
  mailResetSubject: '{site} のアカウントの 2 段階認証がリセットされました',
  mailResetText:
    '{site} のサポートが {time} に、アカウントの認証アプリとリカバリーコードを削除しました。すべての場所からログアウトしています。\nこれを依頼していない場合は、すぐにサポートに連絡してください。',
  mailButton: '2 段階認証を確認'
})
