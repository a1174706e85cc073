import { type Feature, getText, text } from '@postern/core/feature'
import type { Browser, BrowserResponse } from '@postern/testkit'
import { base } from './password-application.ts'

/** An interruption of sign-ins, which the form with "yes" passes. @param provider - The only one that it concerns. */
export const createGate = (provider?: string): Feature => ({
  id: 'gate',
  setup: () => ({
    interruptions: [
      {
        id: 'gate',
        order: 400,
        isDue: ({ account }) => provider === undefined || account.provider === provider,
        show: () => text('gate', 200),
        verify: (_signIn, request) => (getText(request.body, 'word') === 'yes' ? 'passed' : text('no', 400))
      }
    ]
  })
})

export const pass = (browser: Browser, word: string = 'yes'): Promise<BrowserResponse> =>
  browser.submit(`${base}/verify/gate`, { word })
