import { ja as mailedCode } from '../../mail/texts/ja.ts'
import type { TextKey } from './en.ts'

export const ja: Readonly<Record<TextKey, string>> = {
  ...mailedCode,
  locale: 'ja',
  summaryOn: 'オン',
  toAccount: 'アカウントに戻る',
  summaryOff: 'オフ',
  section: '2 つ目の認証要素',
  factorsText:
    '2 つ目の認証要素を設定すると、パスワードを知っているだけの人や、メールを読めるだけの人はログインできません。',
  app: '認証アプリ',
  appAdded: '{date} に設定されました。',
  appUsed: '{date} に最後に使用されました。',
  noApp: '認証アプリは設定されていません。',
  start: '認証アプリを設定',
  remove: '認証アプリを削除',
  removeText: 'リカバリーコードも削除され、ほかのすべての場所からログアウトします。',
  codesLeft: '残りのリカバリーコード: {left}。',
  codesFew: 'リカバリーコードが残り少なくなっています。新しいコードを作成してください。',
  createCodes: '新しいリカバリーコードを作成',
  createCodesText: '現在のコードは使用できなくなります。',
  verify: '変更するには本人確認をしてください',
  anyCode: 'アプリのコードまたはリカバリーコード',

  enroll: '認証アプリを設定',
  enrollText:
    'スマートフォンの認証アプリで QR コードをスキャンしてください。次に、アプリに表示されるコードを入力してください。',
  enrollRequired: 'このサイトでは 2 つ目の認証要素が必要です。',
  qrCode: '認証アプリ用の QR コード',
  key: 'または、このキーをアプリに入力してください。',
  code: 'アプリのコード',
  codeHint: '6 桁の数字',
  confirm: '確認',
  mailText: 'ご本人以外がアプリを設定できないように、先にメールでコードを受け取ってください。',

  codes: 'リカバリーコード',
  codesText:
    'スマートフォンをなくした場合などに、アプリの代わりにこれらのコードのいずれかでログインできます。各コードは 1 回だけ使用できます。安全な場所に保管してください。表示されるのは今回だけです。',
  codesShown:
    'リカバリーコードはすでに表示されました。保存していない場合は、ログイン後に新しいコードを作成してください。',
  codesSaved: 'コードを保存しました',
  back: '2 つ目の認証要素',

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
  passkeyCancelled: 'パスキーは使用されませんでした。もう一度お試しになるか、ほかの方法を使用してください。',
  needsScript: 'パスキーには、JavaScript と、パスキーに対応したブラウザが必要です。',
  useRecoveryCode: 'リカバリーコードを使用',
  recoveryCode: 'リカバリーコード',
  recoveryHint: '10 文字の英数字',

  codeWrong: 'コードが違うか、使用済みか、期限切れです。アプリに現在表示されているコードを入力してください。',
  recoveryWrong: 'リカバリーコードが違うか、使用済みです。',
  anyWrong: 'コードが違うか、使用済みです。',
  passkeyWrong: 'パスキーを使用できませんでした。もう一度お試しになるか、ほかの方法を使用してください。',
  exhausted: '間違ったコードの入力が多すぎるため、アプリのコードだけでは確認できません。',
  expired: '時間がかかりすぎました。最初からやり直してください。',
  conflict: '2 つ目の認証要素は別のリクエストで変更されました。もう一度お試しください。',
  unverified:
    '2 つ目の認証要素を設定するには、先にメールアドレスを確認してください。メールでログインすると確認できます。',

  unavailable: '2 つ目の認証要素を設定できません',
  unavailableText: 'ログイン中のアカウントは、ここには保存されていません。',
  unverifiedTitle: '先にメールアドレスを確認してください',
  unverifiedText:
    'このサイトでは 2 つ目の認証要素が必要で、その設定には確認済みのメールアドレスが必要です。メールでログインしてください。',
  signIn: 'ログイン',

  mailCodeSubject: '{site} のコード',
  mailCodeText:
    '{site} のアカウントへのログイン、または認証アプリやパスキーの設定が行われています。続けるには、次のコードが必要です。\n{code}\nお心当たりがない場合は、コードを誰にも教えず、パスワードを変更してください。',
  mailAddedSubject: '{site} のアカウントに 2 つ目の認証要素が追加されました',
  mailAddedText:
    '認証アプリが {time} に、アドレス {client} から {site} のアカウントに設定されました。\nお心当たりがない場合は、すぐに {site} のサポートに連絡してください。',
  mailRemovedSubject: '{site} のアカウントから 2 つ目の認証要素が削除されました',
  mailRemovedText:
    '認証アプリとリカバリーコードが {time} に、アドレス {client} から {site} のアカウントより削除されました。\nお心当たりがない場合は、ログインして、すぐに認証アプリを設定してください。',
  mailUsedSubject: '{site} のアカウントのリカバリーコードが使用されました',
  mailUsedText:
    '{site} のアカウントのリカバリーコードが {time} に、アドレス {client} から使用されました。残りのリカバリーコード: {left}。\nお心当たりがない場合は、ログインして、パスワードを変更し、新しいリカバリーコードを作成してください。',
  mailResetSubject: '{site} のアカウントの 2 つ目の認証要素がリセットされました',
  mailResetText:
    '{site} のサポートが {time} に、アカウントの認証アプリとリカバリーコードを削除しました。すべての場所からログアウトしています。\nこれを依頼していない場合は、すぐにサポートに連絡してください。',
  mailButton: '2 つ目の認証要素を確認'
}
