import { createRequire } from 'node:module'
import type { PosternOptions } from '@postern/core'
import type { Mailer } from '@postern/core/node'
import { load } from './load.ts'

type NodeEntry = typeof import('@postern/core/node')

/** The outbound connections of an application: provider requests and mail. */
export interface NodeRuntime {
  readonly runtime: NonNullable<PosternOptions['runtime']>
  /** Closes the connections to mail servers. */
  readonly close: () => Promise<void>
}

let loading: Promise<NodeEntry> | null = null

/** Loaded with the first call or mail, so that startup does not wait for it. Even a cached `import()` takes 15 µs. */
function loadNode(): Promise<NodeEntry> {
  loading ??= import('@postern/core/node').catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

/** The 39 files of nodemailer are read with the first mail. @throws TypeError if it is not installed. */
async function findNodemailer(): Promise<void> {
  try {
    createRequire(load.resolve('@postern/core')).resolve('nodemailer')
  } catch (cause) {
    throw new TypeError('sending mail needs the package nodemailer; install it with @postern/core', { cause })
  }
}

/** Creates the runtime that calls providers and sends mail for one application. */
export function createNodeRuntime(): NodeRuntime {
  let mailer: Mailer | null = null
  let isClosed = false
  return {
    runtime: {
      loadMailer: findNodemailer,
      fetch: async (url, init, limits) => (await loadNode()).guardedFetch(url, init, limits),
      sendMail: async (server, message, limits) => {
        const { createMailer } = await loadNode()
        if (isClosed) throw new Error('the application was closed before the mail was sent')
        mailer ??= createMailer()
        return mailer.sendMail(server, message, limits)
      }
    },
    close: async () => {
      isClosed = true
      await mailer?.close()
    }
  }
}
