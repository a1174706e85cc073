import type { TextKey } from './en.ts'

export const ko = (): Readonly<Record<TextKey, string>> => ({
  mailSend: '이메일로 코드 보내기',
  mailCode: '이메일의 코드',
  mailWrong: '이메일의 코드가 틀렸거나 만료되었습니다. 최신 이메일을 확인하세요.',
  mailGone: '이메일의 코드를 더 이상 사용할 수 없습니다. 새 코드를 받으세요.',
  mailSentText: '이메일로 코드를 보냈습니다. 계속하려면 코드를 입력하세요.',
  mailAgain: '다른 코드 보내기',
  cancel: '취소'
})
