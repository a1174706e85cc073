import type { Page } from 'playwright-core'

/** Adds an authenticator to a page, which Chromium simulates. The user touches it at once. @returns How to remove it */
export async function addAuthenticator(page: Page): Promise<() => Promise<unknown>> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable', { enableUI: false })
  const abilities = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true }
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', ...abilities, automaticPresenceSimulation: true }
  })
  return () => devTools.send('WebAuthn.disable')
}
