import { defineConfig } from "vitest/config";

// The built page is committed, so that pawl needs no Node: names without hashes,
// one script and one style sheet, the same bytes from any folder.
export default defineConfig({
  base: "./", // the page may be below a path
  publicDir: "public",
  build: {
    outDir: process.env.PAGE_OUT ?? "../dist",
    emptyOutDir: true,
    target: ["chrome123", "firefox120", "safari17.5"], // the first with light-dark()
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0, // the policy of the page loads nothing from data: addresses
    reportCompressedSize: true,
    rollupOptions: {
      output: {
        entryFileNames: "assets/app.js",
        assetFileNames: (a) => (a.names.some((n) => n.endsWith(".css")) ? "assets/app.css" : "assets/[name][extname]"),
        inlineDynamicImports: true,
      },
    },
  },
  server: {
    // `npm run dev` beside `pawl serve --open`: PAWL_ADDR says where that listens.
    proxy: {
      "/api": {
        target: `http://${process.env.PAWL_ADDR ?? "127.0.0.1:7350"}`,
        changeOrigin: true,
        configure: (proxy) => proxy.on("proxyReq", (req) => req.removeHeader("origin")),
      },
    },
  },
  test: { include: ["src/**/*.test.ts"], environment: "node" },
});
