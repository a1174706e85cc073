import { type Feature, getText, text } from '@postern/core/feature'
import type { Browser, BrowserResponse } from '@postern/testkit'
import { base } from './password-application.ts'

/** An interruption of every sign-in, which the form with "yes" passes. */
export const gate: Feature = {
  id: 'gate',
  setup: () => ({
    interruptions: [
      {
        id: 'gate',
        order: 400,
        isDue: () => true,
        show: () => text('gate', 200),
        verify: (_signIn, request) => (getText(request.body, 'word') === 'yes' ? 'passed' : text('no', 400))
      }
    ]
  })
}

export const pass = (browser: Browser): Promise<BrowserResponse> =>
  browser.submit(`${base}/verify/gate`, { word: 'yes' })
