import { ko as mailedCode } from '../../mail/texts/ko.ts'
import type { TextKey } from './en.ts'

export const ko = (): Readonly<Record<TextKey, string>> => ({
  ...mailedCode(),
  locale: 'ko',
  summaryOn: '켜짐',
  toAccount: '계정으로 돌아가기',
  summaryOff: '꺼짐',
  section: '2단계 인증',
  factorsText: '2단계 인증을 설정하면 비밀번호만 알거나 이메일만 읽을 수 있는 사람은 로그인할 수 없습니다.',
  app: '인증 앱',
  appAdded: '{date}에 설정되었습니다.',
  appUsed: '{date}에 마지막으로 사용되었습니다.',
  noApp: '설정된 인증 앱이 없습니다.',
  start: '인증 앱 설정',
  remove: '인증 앱 삭제',
  removeText: '복구 코드도 삭제되고 다른 모든 곳에서 로그아웃됩니다.',
  removeAlone: '다른 모든 곳에서 로그아웃됩니다.',
  codesLeft: '남은 복구 코드: {left}개.',
  codesFew: '남은 복구 코드가 얼마 없습니다. 새 코드를 만드세요.',
  codesMissing: '복구 코드가 없습니다. 새 코드를 만드세요.',
  createCodes: '새 복구 코드 만들기',
  createCodesText: '지금 있는 코드는 더 이상 작동하지 않습니다.',
  verify: '변경하려면 본인 확인을 하세요',
  anyCode: '앱의 코드 또는 복구 코드',

  enroll: '인증 앱 설정',
  enrollText: '이 키를 휴대전화의 인증 앱에 추가하세요. QR 코드를 스캔하거나 키를 복사하면 됩니다.',
  enrollRequired: '이 사이트에는 2단계 인증이 필요합니다.',
  qrCode: '인증 앱용 QR 코드',
  key: '앱에 입력할 키',
  code: '앱의 코드',
  codeHint: '숫자 {digits}자리',
  confirm: '확인',
  confirmAddress: '이메일 주소 확인',
  mailText: '본인만 앱을 설정할 수 있도록 먼저 이메일로 코드를 받으세요.',

  codes: '복구 코드',
  codesText:
    '휴대전화를 잃어버린 경우처럼 앱을 사용할 수 없을 때 이 코드 중 하나로 로그인할 수 있습니다. 각 코드는 한 번만 사용할 수 있습니다. 안전한 곳에 보관하세요. 지금만 표시됩니다.',
  codesShown: '복구 코드가 이미 표시되었습니다. 저장하지 않았다면 로그인한 후 새 코드를 만드세요.',
  codesDownload: '코드 다운로드',
  codesSaved: '코드를 저장했습니다',
  back: '2단계 인증',

  challenge: '본인 확인을 하세요',
  challengeText: '인증 앱에 지금 표시되는 코드를 입력하세요.',
  challengePasskey: '계속하려면 패스키를 사용하세요.',
  challengeOther: '계속하려면 패스키 또는 복구 코드를 사용하세요.',
  challengeRecovery: '계속하려면 복구 코드를 사용하세요.',
  challengeNone: '다른 방법으로 로그인하거나 이 사이트의 운영자에게 문의하세요.',
  exhaustedText: '계정에 틀린 코드가 많이 입력되어 이메일로 받은 코드도 필요합니다.',
  continue: '계속',
  trust: '이 브라우저에서 {days} 동안 다시 묻지 않기',
  usePasskey: '패스키 사용',
  needsScript: '패스키에는 JavaScript와 패스키를 지원하는 브라우저가 필요합니다.',
  useRecoveryCode: '복구 코드 사용',
  recoveryCode: '복구 코드',
  recoveryHint: '영문자와 숫자 10자리',

  codeWrong: '코드가 틀렸거나 이미 사용되었거나 만료되었습니다. 앱에 지금 표시되는 코드를 입력하세요.',
  recoveryWrong: '복구 코드가 틀렸거나 이미 사용되었습니다.',
  anyWrong: '코드가 틀렸거나 이미 사용되었습니다.',
  passkeyWrong: '패스키를 사용할 수 없었습니다. 다시 시도하거나 다른 방법을 사용하세요.',
  passkeyChanged: '이 패스키는 추가된 후 변경되었습니다. 다른 방법을 사용한 다음 삭제하고 다시 추가하세요.',
  exhausted: '틀린 코드가 너무 많이 입력되어 앱의 코드만으로는 확인할 수 없습니다.',
  expired: '시간이 너무 오래 걸렸습니다. 다시 시작하세요.',
  conflict: '다른 요청이 2단계 인증을 변경했습니다. 다시 시도하세요.',
  unverified: '2단계 인증을 설정하려면 먼저 이메일 주소를 확인하세요.',

  unavailable: '2단계 인증을 설정할 수 없습니다',
  unavailableText: '로그인한 계정이 여기에 저장되어 있지 않습니다.',
  signIn: '로그인',

  step: '3단계 중 {step}단계',
  openApp: '인증 앱에서 열기',
  copy: '복사',
  copied: '복사됨',
  goBack: '뒤로',
  codesPrint: '인쇄',
  anotherAccount: '다른 계정 사용',
  lost: '휴대전화와 코드를 모두 잃어버렸습니다',
  lostTitle: '휴대전화와 코드를 모두 잃어버렸나요?',
  lostFactor: '휴대전화나 패스키를 잃어버렸나요?',
  lostText: '먼저 복구 코드를 찾아보세요. {file} 파일, 종이 또는 비밀번호 관리자에 있을 수 있습니다.',
  lostHelp:
    '찾을 수 없다면 이 사이트의 운영자에게 문의하세요. 운영자는 본인임을 확인한 후 계정의 2단계 인증을 끌 수 있습니다.',
  support: '지원팀에 문의',
  recoveryCodes: '복구 코드 목록',
  recoveryText: '휴대전화를 잃어버렸을 때 복구 코드로 로그인할 수 있습니다. 각 코드는 한 번만 사용할 수 있습니다.',
  noCodes: '아직 복구 코드가 없습니다.',
  passkeys: '패스키',
  passkeysNotAsked:
    '인증 앱이 없으면 다른 방법으로 로그인할 때 패스키를 요구하지 않습니다. 2단계 인증을 켜려면 앱을 설정하세요.',

  mailCodeSubject: '{site}의 코드',
  mailCodeText:
    '누군가 {site} 계정에 로그인하거나 인증 앱이나 패스키를 설정하고 있습니다. 계속하려면 다음 코드가 필요합니다.\n{code}\n본인이 아니라면 코드를 아무에게도 알려 주지 말고 비밀번호를 변경하세요.',
  mailAddedSubject: '{site} 계정의 2단계 인증이 켜졌습니다',
  mailAddedText:
    '{time}에 {client} 주소에서 {site} 계정에 인증 앱이 설정되었습니다.\n본인이 아니라면 지금 {site}의 지원팀에 문의하세요.',
  mailRemovedSubject: '{site} 계정의 2단계 인증이 꺼졌습니다',
  mailRemovedText:
    '{site} 계정의 인증 앱과 복구 코드가 {time}에 {client} 주소에서 삭제되었습니다.\n본인이 아니라면 로그인하여 지금 인증 앱을 설정하세요.',
  mailAppRemovedSubject: '{site} 계정에서 인증 앱이 삭제되었습니다',
  mailAppRemovedText:
    '{site} 계정의 인증 앱이 {time}에 {client} 주소에서 삭제되었습니다.\n본인이 아니라면 로그인하여 지금 인증 앱을 설정하세요.',
  mailUsedSubject: '{site} 계정의 복구 코드가 사용되었습니다',
  mailUsedText:
    '{site} 계정의 복구 코드가 {time}에 {client} 주소에서 사용되었습니다. 남은 복구 코드: {left}개.\n본인이 아니라면 로그인하여 비밀번호를 변경하고 새 복구 코드를 만드세요.',
  mailRenewedSubject: '{site} 계정의 새 복구 코드가 생성되었습니다',
  mailRenewedText:
    '{site} 계정의 새 복구 코드가 {time}에 {client} 주소에서 생성되었습니다. 이전 코드는 더 이상 작동하지 않습니다.\n본인이 아니라면 로그인하여 비밀번호를 변경하고 새 복구 코드를 만드세요.',
  mailResetSubject: '{site} 계정의 2단계 인증이 재설정되었습니다',
  mailResetText:
    '{site}의 지원팀이 {time}에 계정의 인증 앱과 복구 코드를 삭제했습니다. 모든 곳에서 로그아웃되었습니다.\n요청하지 않았다면 지금 지원팀에 문의하세요.',
  mailButton: '2단계 인증 확인'
})
