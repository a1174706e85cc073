import { setTimeout as wait } from 'node:timers/promises'
import { base, origin } from './password-application.ts'

// Sends sign-ins over some connections at once, until its parent ends it. A client that is refused waits as long as Retry-After says.
const [port = '', count = '', cookie = '', form = ''] = process.argv.slice(2)

async function signIn(): Promise<void> {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}${base}/callback/password`, {
      method: 'POST',
      headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: form,
      redirect: 'manual'
    })
    await response.arrayBuffer()
    process.send?.(response.status)
    await wait(Number(response.headers.get('retry-after') ?? 0) * 1000)
  }
}

process.on('disconnect', () => process.exit(0))
await Promise.all(Array.from({ length: Number(count) }, signIn))
