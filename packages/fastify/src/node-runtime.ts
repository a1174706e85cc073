import type { PosternOptions } from '@postern/core'
import type { Mailer } from '@postern/core/node'

type NodeEntry = typeof import('@postern/core/node')

/** What leaves the process, in Node's way. */
export interface Outside {
  readonly runtime: NonNullable<PosternOptions['runtime']>
  /** Closes the connections to mail servers. */
  readonly close: () => Promise<void>
}

let loading: Promise<NodeEntry> | null = null

/** Loaded with the first call or mail: a start does not wait for it. A failure is not kept. */
function node(): Promise<NodeEntry> {
  loading ??= import('@postern/core/node').catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

/** Makes what calls providers and sends mails for one application. */
export function outside(): Outside {
  let mailer: Mailer | null = null
  let isClosed = false
  return {
    runtime: {
      fetch: async (url, init, limits) => (await node()).guardedFetch(url, init, limits),
      sendMail: async (server, message, limits) => {
        const { createMailer } = await node()
        if (isClosed) throw new Error('the application was closed before the mail was sent')
        mailer ??= createMailer()
        return mailer.sendMail(server, message, limits)
      },
      kill: () => void process.kill(process.pid, 'SIGKILL')
    },
    close: async () => {
      isClosed = true
      await mailer?.close()
    }
  }
}
