import type { TextKey } from './en.ts'

export const ko = (): Readonly<Record<TextKey, string>> => ({
  name: '비밀번호',
  email: '이메일 주소',
  password: '비밀번호',
  newPassword: '새 비밀번호',
  currentPassword: '현재 비밀번호',
  code: '코드',
  signIn: '로그인',
  createAccount: '계정 만들기',
  remember: '로그인 상태 유지',
  forgotPassword: '비밀번호를 잊으셨나요?',
  summarySet: '설정됨',
  toAccount: '계정으로 돌아가기',
  summaryNone: '설정되지 않음',
  section: '비밀번호',

  signUpText: '주소를 확인하는 이메일을 받게 됩니다. 계정은 그 후에 만들어집니다.',
  passwordHint: '{minLength}자 이상. 문장은 기억하기 쉽습니다.',
  strengthShort: '너무 짧음',
  strengthFair: '괜찮은 비밀번호입니다. 길수록 좋습니다.',
  strengthGood: '좋은 비밀번호입니다.',
  strengthStrong: '강력한 비밀번호입니다.',
  continue: '계속',

  checkMail: '이메일을 확인하세요',
  checkMailText: '이 주소로 이메일을 보내는 중입니다. 링크를 열거나 코드를 여기에 입력하세요.',
  checkMailReset: '이 주소로 이메일을 보내는 중입니다. 계속하려면 링크를 여세요.',
  startAgain: '다시 시작',

  confirm: '이메일 주소 확인',
  confirmText: '이 주소로 계정이 만들어지고 로그인됩니다.',
  confirmExisting: '이 주소로 계정에 로그인됩니다.',
  confirmUnused: '이 주소의 계정이 이미 있습니다. 해당 계정에 로그인되며, 선택한 비밀번호는 사용되지 않습니다.',
  choose: '비밀번호 선택',
  chooseText: '이 브라우저에서 가입하지 않았습니다. 새 계정의 비밀번호를 선택하세요.',
  confirmSubmit: '확인하고 로그인',

  forgot: '비밀번호를 잊으셨나요?',
  forgotText: '이메일 주소를 입력하세요. 새 비밀번호를 선택하는 링크를 받게 됩니다.',
  reset: '새 비밀번호 선택',
  resetText: '모든 기기에서 로그아웃됩니다. 그 후 새 비밀번호로 로그인할 수 있습니다.',
  save: '비밀번호 저장',

  change: '비밀번호 변경',
  changeText: '여기서는 로그인이 유지되고, 다른 모든 곳에서는 로그아웃됩니다.',
  set: '비밀번호 설정',
  setText: '그러면 이메일 주소와 이 비밀번호로도 로그인할 수 있습니다.',
  unavailable: '비밀번호를 설정할 수 없습니다',
  unavailableText: '비밀번호에는 확인된 이메일 주소가 필요합니다.',
  changed: '비밀번호가 변경되었습니다',
  changedText: '이제부터 새 비밀번호를 사용하세요.',
  toSite: '계속',

  gone: '이 링크는 더 이상 작동하지 않습니다',
  goneText: '이미 사용되었거나 만료되었거나 그 후 변경된 것이 있습니다. 새 링크를 요청하세요.',
  used: '이미 완료되었습니다',
  usedText: '이 링크는 이미 사용되었습니다. 더 이상 필요하지 않습니다.',

  emailLetters: '이메일 주소의 @ 앞에는 발음 기호가 없는 영문자와 숫자, 기호만 사용할 수 있습니다.',
  emailInvalid: 'ada@example.com과 같은 이메일 주소를 입력하세요.',
  codeWrong: '코드가 틀렸습니다. 최신 이메일을 확인하세요.',
  characters: '비밀번호에 사용할 수 없는 문자가 있습니다.',
  tooShort: '{minLength}자 이상 사용하세요.',
  tooLong: '256자 이하로 사용하세요.',
  tooCommon: '많은 사람이 사용하는 비밀번호입니다. 다른 것을 선택하세요.',
  isAddress: '주소나 사이트 이름을 비밀번호로 사용하지 마세요.',
  breached: '데이터 유출로 알려진 비밀번호입니다. 다른 것을 선택하세요.',
  currentWrong: '현재 비밀번호가 아닙니다.',
  conflict: '다른 요청이 비밀번호를 변경했습니다. 다시 시도하세요.',

  mailSignUpSubject: '{site}의 이메일 주소를 확인하세요',
  mailSignUpText:
    '누군가 이 주소로 {site}에 가입했습니다.\n계정을 만들려면 한 시간 안에 주소를 확인하세요. 가입한 브라우저에서는 다음 코드를 입력해도 됩니다.\n{code}\n본인이 아니라면 이 이메일을 무시하세요. 계정이 만들어지지 않습니다.',
  mailSignUpButton: '이메일 주소 확인',
  mailExistsSubject: '{site}에 이미 계정이 있습니다',
  mailExistsText:
    '누군가 이미 계정이 있는 이 주소로 {site}에 가입했습니다.\n로그인하거나, 비밀번호를 잊었다면 새 비밀번호를 선택하세요.\n본인이 아니라면 이 이메일을 무시하세요. 변경된 것은 없습니다.',
  mailExistsButton: '로그인',
  mailResetSubject: '{site}의 새 비밀번호를 선택하세요',
  mailResetText:
    '누군가 {site} 계정의 새 비밀번호를 요청했습니다.\n한 시간 안에 선택하세요. 그 후 모든 기기에서 로그아웃됩니다.\n본인이 아니라면 이 이메일을 무시하세요. 비밀번호는 그대로 유지됩니다.',
  mailResetButton: '새 비밀번호 선택',
  mailConfirmSubject: '{site} 로그인',
  mailConfirmText:
    '누군가 {site}의 새 비밀번호를 요청했습니다. 이 계정의 주소는 아직 확인되지 않았습니다.\n로그인하려면 한 시간 안에 확인하세요. 그 후 비밀번호를 설정할 수 있습니다.\n본인이 아니라면 이 이메일을 무시하세요.',
  mailConfirmButton: '이메일 주소 확인',
  mailUnknownSubject: '{site}에 계정이 없습니다',
  mailUnknownText:
    '누군가 {site}의 새 비밀번호를 요청했지만, 이 주소의 계정이 없습니다.\n다른 주소로 가입했을 수 있습니다.\n본인이 아니라면 이 이메일을 무시하세요.',
  mailUnknownButton: '계정 만들기',
  mailChangedSubject: '{site}의 비밀번호가 변경되었습니다',
  mailChangedText:
    '{site} 계정의 비밀번호가 {time}에 {client} 주소에서 변경되었습니다.\n본인이 아니라면 지금 새 비밀번호를 선택하세요. 다른 모든 사람이 로그아웃됩니다.',
  mailChangedButton: '새 비밀번호 선택'
})
