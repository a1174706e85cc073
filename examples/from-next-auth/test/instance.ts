// One of several processes of the application. They share only the secret.
import { serve } from 'cluster/serve'
import { buildApp } from '../src/main.ts'

await serve(await buildApp(process.env))
