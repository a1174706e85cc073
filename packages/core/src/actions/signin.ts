import { redirect } from '../http/action-result.ts'
import { getHandler } from '../sign-in-methods/handlers.ts'
import type { Run } from './route.ts'

/** Starts a sign-in with the provider that the path names. Credentials start at the form. */
export const startSignIn: Run = async (request, config, provider) =>
  provider ? getHandler(provider).start(provider, request, config) : redirect(`${config.base}/signin`)
