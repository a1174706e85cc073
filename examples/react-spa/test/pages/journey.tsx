import { type ReactElement, type ReactNode, StrictMode, useEffect, useState, version } from 'react'
import { createRoot } from 'react-dom/client'

interface Session {
  readonly user?: { readonly name?: string | null | undefined; readonly email?: string | null | undefined }
}

/** The client that the page calls. */
interface Functions {
  getCsrfToken(): Promise<string | undefined>
  getProviders(): Promise<object | null>
  getSession(): Promise<Session | null>
  signIn(
    provider?: string,
    options?: Record<string, unknown>,
    parameters?: Record<string, string>
  ): Promise<object | undefined>
  signOut(options?: { callbackUrl?: string; redirect?: boolean }): Promise<object | undefined>
}

interface Client extends Functions {
  SessionProvider(props: { readonly children: ReactNode }): ReactElement
  useSession(options: { required: boolean }): {
    readonly data: Session | null | undefined
    readonly status: string
    readonly update: (data: unknown) => Promise<unknown>
  }
}

declare global {
  interface Window {
    /** The functions of the client, for the test to call. */
    probe: Functions & { readonly version: string; update: (data: unknown) => Promise<unknown> }
  }
}

/** A page that shows the state of the client. With `?required` it requires a session. */
export function mount({ SessionProvider, useSession, ...functions }: Client): void {
  window.probe = { ...functions, version, update: async () => undefined }
  const root = document.getElementById('root')
  if (!root) return
  createRoot(root).render(
    <StrictMode>
      <SessionProvider>
        <Probe useSession={useSession} />
      </SessionProvider>
    </StrictMode>
  )
}

function Probe({ useSession }: Pick<Client, 'useSession'>): ReactElement {
  const [required] = useState(() => new URLSearchParams(location.search).has('required'))
  const { data, status, update } = useSession({ required })
  useEffect(() => {
    window.probe.update = update
  }, [update])
  return (
    <>
      <p id="status">{status}</p>
      <p id="user">{data?.user?.name ?? data?.user?.email ?? 'no one'}</p>
    </>
  )
}
