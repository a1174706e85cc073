import { ko as mailedCode } from '../../mail/texts/ko.ts'
import type { TextKey } from './en.ts'

export const ko = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'ko',
  name: '패스키',
  signIn: '패스키로 로그인',
  signInText: '기기에서 지문, 얼굴 또는 화면 잠금을 요청합니다.',
  needsScript: '패스키에는 JavaScript와 패스키를 지원하는 브라우저가 필요합니다.',
  otherWays: '다른 로그인 방법',
  noneHere: '여기에 패스키가 없나요? 휴대전화나 다른 방법을 사용하세요.',
  usePhone: '휴대전화 사용',
  offer: '다음에는 더 빠르게 로그인하세요',
  offerText: '패스키를 만들고 지문, 얼굴 또는 기기의 화면 잠금으로 로그인하세요.',
  notNow: '나중에',
  neverAsk: '다시 묻지 않기',

  summary: '{names}',
  toAccount: '계정으로 돌아가기',
  summaryNone: '패스키 없음',
  passkeys: '패스키',
  passkeysText: '비밀번호 대신 지문, 얼굴 또는 기기의 화면 잠금으로 로그인하세요.',
  synced: '여러 기기에서 사용할 수 있습니다.',
  local: '한 기기에만 있습니다.',
  createdAt: '{date}에 추가되었습니다.',
  usedAt: '{date}에 마지막으로 사용되었습니다.',
  add: '패스키 추가',
  verify: '변경하려면 본인 확인을 하세요',
  notCreated: '패스키가 만들어지지 않았습니다. 취소되었거나 시간이 너무 오래 걸렸습니다.',
  existsText: '이 기기에 계정의 패스키가 이미 있습니다.',
  existsNext: '그 패스키로 로그인할 수 있습니다.',
  expired: '시간이 너무 오래 걸렸습니다. 다시 시도하세요.',
  failed: '패스키를 추가할 수 없습니다. 패스키에는 JavaScript와 패스키를 지원하는 브라우저가 필요합니다.',
  exists: '이미 추가된 패스키입니다.',
  tooMany: '패스키 수가 최대에 도달했습니다. 다른 패스키를 추가하려면 하나를 삭제하세요.',
  unverified: '패스키를 추가하려면 먼저 이메일 주소를 확인하세요.',
  mailText:
    '패스키를 2단계 인증에도 사용하려면 먼저 이메일로 코드를 받으세요. 코드가 없으면 로그인 방법으로만 쓰입니다.',

  label: '이름',
  save: '이름 저장',
  remove: '패스키 삭제',
  removeText: '그러면 다른 모든 곳에서 로그아웃됩니다. 기기에서도 패스키를 삭제하세요.',
  nameMissing: '이름을 입력하세요.',
  conflict: '다른 요청이 패스키를 변경했습니다. 다시 시도하세요.',
  lastWayIn: '유일한 로그인 방법입니다. 삭제하기 전에 다른 방법을 추가하세요.',
  back: '모든 패스키',
  unavailable: '패스키를 사용할 수 없습니다',
  unavailableText: '로그인한 계정이 여기에 저장되어 있지 않습니다.',

  unknownText: '여기에 등록되지 않은 패스키입니다.',
  unknownNext: '삭제되었을 수 있습니다. 다른 패스키를 사용하거나 다른 방법으로 로그인하세요.',
  changedText: '이 패스키는 추가된 후 변경되었습니다.',
  changedNext: '다른 방법으로 로그인한 다음 삭제하고 다시 추가하세요.',
  expiredText: '패스키 로그인이 너무 오래 걸렸습니다.',
  expiredNext: '다시 시도하세요.',

  createAccount: '패스키로 계정 만들기',
  signUpText: '주소를 확인하는 이메일을 받게 됩니다. 계정은 그 후에 만들어집니다.',
  email: '이메일 주소',
  createPasskey: '패스키 만들기',
  toSignIn: '로그인',

  checkMail: '이메일을 확인하세요',
  checkMailText: '이 주소로 이메일을 보내는 중입니다. 링크를 열거나 코드를 여기에 입력하세요.',
  code: '코드',
  continue: '계속',
  startAgain: '다시 시작',
  emailLetters: '이메일 주소의 @ 앞에는 발음 기호가 없는 영문자와 숫자, 기호만 사용할 수 있습니다.',
  emailInvalid: 'ada@example.com과 같은 이메일 주소를 입력하세요.',
  codeWrong: '코드가 틀렸습니다. 최신 이메일을 확인하세요.',

  confirm: '이메일 주소 확인',
  confirmText: '이 주소로 계정이 만들어지고 로그인됩니다.',
  confirmUnused: '이 주소의 계정이 이미 있습니다. 해당 계정에 로그인되며, 만든 패스키는 사용되지 않습니다.',
  confirmSubmit: '확인하고 로그인',
  createText:
    '이 브라우저에서 가입하지 않았습니다. 여기에서 새 계정의 패스키를 만들거나, 가입한 브라우저에서 이메일의 코드를 입력하세요.',
  gone: '이 링크는 더 이상 작동하지 않습니다',
  goneText: '이미 사용되었거나 만료되었거나 그 후 변경된 것이 있습니다. 새 링크를 요청하세요.',
  used: '이미 완료되었습니다',
  usedText: '이 링크는 이미 사용되었습니다. 더 이상 필요하지 않습니다.',

  mailAddedSubject: '{site} 계정에 패스키가 추가되었습니다',
  mailAddedText:
    '‘{passkey}’ 패스키가 {time}에 {client} 주소에서 {site} 계정에 추가되었습니다.\n본인이 아니라면 지금 삭제하세요. 다른 모든 사람이 로그아웃됩니다.',
  mailRemovedSubject: '{site} 계정에서 패스키가 삭제되었습니다',
  mailRemovedText:
    '{site} 계정의 ‘{passkey}’ 패스키가 {time}에 {client} 주소에서 삭제되었습니다.\n본인이 아니라면 로그인하여 계정의 로그인 방법을 확인하세요.',
  mailCopiedSubject: '{site}의 패스키가 복사되었을 수 있습니다',
  mailCopiedText:
    '누군가 {time}에 {client} 주소에서 ‘{passkey}’ 패스키로 {site}에 로그인하려고 했습니다. 패스키의 카운터가 복사본이 있을 수 있음을 나타내므로 로그인이 거부되었습니다.\n이 패스키를 삭제하고 새 패스키를 추가하세요.',
  mailButton: '패스키 확인',

  mailSignUpSubject: '{site}의 이메일 주소를 확인하세요',
  mailSignUpText:
    '누군가 이 주소로 {site}에 가입했습니다.\n계정을 만들려면 한 시간 안에 주소를 확인하세요. 가입한 브라우저에서는 다음 코드를 입력해도 됩니다.\n{code}\n본인이 아니라면 이 이메일을 무시하세요. 계정이 만들어지지 않습니다.',
  mailSignUpButton: '이메일 주소 확인',
  mailExistsSubject: '{site}에 이미 계정이 있습니다',
  mailExistsText:
    '누군가 이미 계정이 있는 이 주소로 {site}에 가입했습니다.\n이전과 같은 방법으로 로그인하세요.\n본인이 아니라면 이 이메일을 무시하세요. 변경된 것은 없습니다.',
  mailExistsButton: '로그인'
})
