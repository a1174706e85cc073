import { durations } from './duration.ts'
import type { Texts } from './texts.ts'

/** Korean. Names are placed so that no particle depends on their sound. */
export const ko: Texts = {
  lang: 'ko',
  dir: 'ltr',
  unread: 'all',
  titles: {
    signin: '로그인',
    signout: '로그아웃',
    'verify-request': '이메일을 확인해 주세요',
    confirm: '로그인 확인',
    error: '오류',
    'start-again': '다시 시작',
    'other-user': '이미 로그인되어 있습니다',
    'used-link': '이미 로그인되어 있습니다',
    'confirm-link': '계정 연결',
    welcome: '환영합니다'
  },
  failed: (title) => `오류: ${title}`,
  reference: (id) => `문의 번호: ${id}`,
  support: '지원팀에 문의',
  duration: durations('ko', {
    second: { other: '#초' },
    minute: { other: '#분' },
    hour: { other: '#시간' },
    day: { other: '#일' }
  }),
  signIn: {
    heading: '로그인',
    lead: (siteName) => `${siteName} 사이트로 계속하려면 로그인하세요`,
    submit: (provider) => `${provider} 계정으로 로그인`,
    byEmail: '이메일로 로그인 링크 받기',
    byEmailInstead: '대신 이메일로 링크 받기',
    byCode: '이메일로 로그인 코드 받기',
    byCodeInstead: '대신 이메일로 코드 받기',
    byCredentials: '로그인 정보로 로그인',
    email: '이메일 주소',
    emailExample: 'name@example.com',
    or: '또는',
    none: '아직 로그인할 수 있는 방법이 없습니다.',
    next: '계속',
    newHere: '처음이신가요?',
    lastUsed: '최근 사용',
    showPassword: '비밀번호 표시',
    more: '다른 로그인 방법',
    continueAs: (user) => `${user} 계정으로 계속`,
    anotherAccount: '다른 계정 사용',
    wrongPassword: {
      text: '이메일 주소 또는 비밀번호가 올바르지 않습니다.',
      next: '두 가지를 확인한 후 다시 시도해 주세요.'
    },
    limited: { text: '시도 횟수가 너무 많습니다.', next: '또는 지금 다른 방법으로 로그인해 주세요.' }
  },
  stepUp: {
    heading: '본인 확인',
    lead: '계속하려면 같은 계정으로 다시 로그인하세요.',
    repeat: '그런 다음 양식을 다시 보내세요.',
    mail: (address) => `${address}(으)로 코드 보내기`,
    none: '여기에는 본인을 확인할 수 있는 방법이 없습니다.',
    another: '다른 방법',
    notNow: '나중에',
    wrongPassword: { text: '비밀번호가 올바르지 않습니다.', next: '다시 시도해 주세요.' }
  },
  codes: {},
  problems: {
    Signin: {
      text: '로그인을 완료하지 못했습니다.',
      next: '다시 시도하거나 다른 계정으로 로그인해 주세요.'
    },
    OAuthSignin: {
      text: '로그인을 시작하지 못했습니다.',
      next: '잠시 후 다시 시도하거나 다른 계정으로 로그인해 주세요.'
    },
    OAuthCallback: {
      text: '로그인 서비스의 응답을 받아들일 수 없었습니다.',
      next: '다시 시도하거나 다른 계정으로 로그인해 주세요.'
    },
    OAuthCreateAccount: {
      text: '계정을 만들지 못했습니다.',
      next: '잠시 후 다시 시도하거나 다른 계정으로 로그인해 주세요.'
    },
    EmailCreateAccount: {
      text: '이 이메일 주소로 계정을 만들지 못했습니다.',
      next: '잠시 후 다시 시도하거나 다른 주소를 사용해 주세요.'
    },
    Callback: {
      text: '로그인하는 중에 문제가 발생했습니다.',
      next: '다시 시도하거나 다른 계정으로 로그인해 주세요.'
    },
    OAuthAccountNotLinked: {
      text: '이전에 여기에서 사용하신 계정이 아닙니다.',
      next: '본인 확인을 위해 처음에 사용하신 계정으로 로그인해 주세요.'
    },
    EmailSignin: {
      text: '이메일을 보내지 못했습니다.',
      next: '주소를 확인하고 잠시 후 다시 시도해 주세요.'
    },
    CredentialsSignin: {
      text: '로그인하지 못했습니다.',
      next: '입력하신 정보가 올바른지 확인해 주세요.'
    },
    SessionRequired: {
      text: '이 페이지를 보려면 로그인해 주세요.',
      next: '로그인하면 이 페이지로 돌아옵니다.'
    },
    UnmetRequirements: {
      text: '이 로그인 방법으로는 확인이 충분하지 않습니다.',
      next: '그곳에서 다시 로그인하거나 다른 방법을 사용하세요.'
    },
    DifferentUser: {
      text: '이 계정은 다른 사람의 것이거나 여기에 등록되어 있지 않습니다.',
      next: '로그인한 사용자의 계정을 사용하거나 먼저 로그아웃하세요.'
    },
    Default: {
      text: '로그인할 수 없습니다.',
      next: '다시 시도하거나 다른 계정으로 로그인해 주세요.'
    }
  },
  reasons: {
    'session-expired': { text: '세션이 만료되었습니다.', next: '다시 로그인해 주세요.' },
    'signed-out': {
      text: '로그아웃되었습니다.',
      next: '계속하려면 다시 로그인해 주세요.'
    },
    invalid: {
      text: '올바른 이메일 주소를 입력해 주세요.',
      next: '잘못 입력한 글자가 없는지 확인해 주세요.'
    },
    'non-ascii': {
      text: '이메일 주소의 @ 앞에는 발음 기호가 없는 영문자와 숫자, 기호만 사용할 수 있습니다.',
      next: '다른 주소를 사용해 주세요.'
    },
    captcha: {
      text: '사람인지 확인하지 못했습니다.',
      next: '다시 시도하세요.'
    },
    cancelled: {
      text: '로그인을 취소하셨습니다.',
      next: '변경된 내용은 없습니다. 언제든지 로그인하실 수 있습니다.'
    },
    expired: { text: '로그인에 시간이 너무 오래 걸렸습니다.', next: '처음부터 다시 시작해 주세요.' },
    unavailable: {
      text: '로그인 서비스가 지금 응답하지 않습니다.',
      next: '몇 분 후에 다시 시도해 주세요.'
    },
    misconfigured: {
      text: '이 로그인 방법이 올바르게 설정되어 있지 않습니다.',
      next: '사이트 운영자에게 알려 주세요.'
    }
  },
  signOut: {
    heading: '로그아웃',
    question: '로그아웃하시겠습니까?',
    submit: '로그아웃',
    stay: '로그인 상태 유지'
  },
  verifyRequest: {
    heading: '이메일을 확인해 주세요',
    link: '로그인 링크를 이메일로 보내 드렸습니다.',
    mail: '로그인 이메일을 보내 드렸습니다. 이메일을 열어 주세요. 이메일에 있는 코드를 사용하려면 이 페이지로 돌아와 주세요.',
    codeOnly: '이메일로 코드를 보내 드렸습니다. 여기에 입력하여 로그인해 주세요.',
    codeElsewhere: '이메일로 코드를 보내 드렸습니다. 코드를 요청한 브라우저에서 입력해 주세요.',
    code: '이메일로 받은 코드',
    codeHint: (letters) => `영문자 ${letters}자입니다. 대소문자는 구분하지 않으며 공백과 하이픈은 있어도 됩니다.`,
    wrong: { text: '코드가 올바르지 않습니다.', next: '가장 최근 이메일과 비교한 후 다시 시도해 주세요.' },
    triesLeft: (left) => (left === 1 ? '1번 더 시도할 수 있습니다.' : `${left}번 더 시도할 수 있습니다.`),
    spent: '잘못된 코드를 너무 많이 입력하여 이 이메일은 더 이상 사용할 수 없습니다.',
    sendNew: (address) => `${address} 주소로 새 이메일 보내기`,
    submit: '로그인',
    missing: '1분이 지나도 이메일이 오지 않았나요? 스팸 메일함을 확인해 주세요.',
    again: '새 이메일 요청',
    otherAddress: '다른 주소 사용'
  },
  confirm: {
    heading: '본인이신가요?',
    lead: (siteName) => `${siteName} 사이트의 로그인 링크를 열었습니다. 로그인할 계정:`,
    submit: '예, 로그인합니다',
    warning: '이 이메일을 요청하지 않으셨다면 이 페이지를 닫아 주세요. 아직 아무도 로그인하지 않았습니다.'
  },
  errors: {
    Configuration: {
      heading: '서버 오류',
      text: '서버 설정에 문제가 있습니다.',
      next: '고객님의 잘못이 아닙니다. 나중에 다시 시도하거나 사이트 운영자에게 알려 주세요.',
      action: '로그인으로 돌아가기'
    },
    AccessDenied: {
      heading: '접근할 수 없습니다',
      text: '로그인할 권한이 없습니다.',
      next: '다른 계정이 있다면 그 계정으로 시도해 주세요.',
      action: '로그인'
    },
    PermissionRequired: {
      heading: '권한이 없습니다',
      text: '이 작업을 할 권한이 없습니다.',
      next: '이 권한이 있는 다른 계정이 있다면 그 계정을 사용해 주세요.',
      action: '다른 계정 사용'
    },
    Verification: {
      heading: '로그인할 수 없습니다',
      text: '이 로그인 링크는 더 이상 유효하지 않습니다. 이미 사용되었거나 만료되었을 수 있습니다.',
      next: '다시 로그인하면 새 링크를 받을 수 있습니다.',
      action: '로그인'
    },
    ImpersonationForbidden: {
      heading: '다른 사용자로는 할 수 없습니다',
      text: '다른 사용자로 로그인되어 있습니다. 이 작업은 해당 사용자만 할 수 있습니다.',
      next: '이 사용자로서의 작업을 끝낸 다음 본인 계정으로 로그인하세요.',
      action: '로그인으로 돌아가기'
    },
    UserSuspended: {
      heading: '정지된 계정입니다',
      text: '이 계정은 정지되어 로그인할 수 없습니다.',
      next: '착오라고 생각되시면 이 사이트의 운영자에게 문의해 주세요.',
      action: '로그인으로 돌아가기'
    },
    RateLimited: {
      heading: '시도 횟수가 너무 많습니다',
      text: '짧은 시간에 로그인 시도가 많아 계정을 보호하기 위해 잠시 멈추었습니다.',
      next: '잠시 기다린 후 다시 시도해 주세요.',
      action: '로그인으로 돌아가기'
    },
    StoreConflict: {
      heading: '데이터가 일치하지 않음',
      text: '이 사이트에 이와 맞지 않는 다른 데이터가 이미 있어 아무것도 저장되지 않았습니다.',
      next: '이 사이트의 운영자에게 문의해 주세요.',
      action: '로그인으로 돌아가기'
    },
    UserReferenced: {
      heading: '계정이 아직 사용 중입니다',
      text: '이 사이트에 이 계정과 연결된 데이터가 남아 있어 계정을 삭제할 수 없습니다. 삭제되거나 종료된 것은 없습니다.',
      next: '이 사이트의 운영자에게 문의해 주세요.',
      action: '로그인으로 돌아가기'
    },
    StoreUnavailable: {
      heading: '곧 돌아오겠습니다',
      text: '사이트의 일부가 응답하지 않아 지금은 로그인할 수 없습니다.',
      next: '로그아웃되지 않았습니다. 1분 후에 다시 시도해 주세요.',
      action: '다시 시도'
    },
    NotFound: {
      heading: '페이지를 찾을 수 없음',
      text: '이 주소에는 페이지가 없습니다.',
      next: '주소를 잘못 입력했거나 더 이상 쓰이지 않는 주소일 수 있습니다.',
      action: '로그인으로 돌아가기'
    },
    Default: {
      heading: '오류',
      text: '문제가 발생했습니다.',
      next: '다시 시도해 주세요. 문제가 계속되면 사이트 운영자에게 알려 주세요.',
      action: '로그인'
    }
  },
  wait: (duration) => `${duration} 후에 다시 시도해 주세요.`,
  startAgain: {
    heading: '다시 시작해 볼까요',
    text: '로그인에 시간이 너무 오래 걸렸거나 다른 브라우저에서 시작되었습니다. 변경된 내용은 없습니다.'
  },
  otherUser: {
    heading: '이미 로그인되어 있습니다',
    user: '이 브라우저에 현재 로그인된 계정:',
    text: (provider) =>
      `그 전에 ${provider} 계정으로 로그인을 시작하셨지만, 두 계정이 섞이지 않도록 중단했습니다. 그대로 계속하거나 다시 시작해 주세요.`,
    stay: '그대로 계속'
  },
  confirmLink: {
    heading: '이 계정을 연결할까요?',
    user: '현재 로그인한 계정:',
    account: (provider) => `${provider} 계정:`,
    text: (provider) =>
      `연결하면 이 ${provider} 계정에 로그인할 수 있는 사람은 여기에도 로그인할 수 있습니다. 두 계정이 모두 본인의 것일 때만 계속하세요.`,
    submit: '연결',
    stay: '나중에'
  },
  toSite: (siteName) => `${siteName} 사이트로 돌아가기`,
  usedLink: {
    heading: '이미 로그인되어 있습니다',
    user: '현재 로그인한 계정:',
    text: '이 로그인 링크는 이미 사용되었거나 만료되었습니다. 더 이상 필요하지 않습니다.',
    submit: '계속'
  },
  welcome: {
    heading: (user) => (user === null ? '환영합니다' : `${user} 님, 환영합니다`),
    text: (siteName) => `${siteName} 계정이 준비되었습니다.`,
    submit: '계속'
  },
  mail: {
    subject: (siteName) => `${siteName} 로그인`,
    heading: (siteName) => `${siteName} 로그인`,
    identifier: '로그인할 계정',
    submit: '로그인',
    link: '버튼이 작동하지 않으면 브라우저에서 이 주소를 열어 주세요:',
    code: '이 이메일을 요청한 페이지에 다음 코드를 입력해 주세요:',
    orCode: '또는 이 이메일을 요청한 페이지에 다음 코드를 입력해 주세요:',
    expiry: (duration) => `${duration} 동안 한 번만 사용할 수 있습니다.`,
    requested: (details) => `요청: ${details}`,
    ignore: '이 이메일을 요청하지 않으셨다면 무시하셔도 됩니다. 이 이메일 없이는 아무도 로그인할 수 없습니다.'
  }
}
