import * as client from 'next-auth/react'
import { mount } from './journey.tsx'

mount(client)
