/* Counts the instructions that an emulated program executes: a plugin of QEMU's user emulation. What it uses of QEMU's
 * interface is declared here, for Debian has no header for it. One thread is counted exactly, several nearly. */
#include <stdint.h>
#include <stdio.h>

typedef uint64_t plugin_id;
struct tb;
extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*translated)(plugin_id, struct tb *));
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct tb *tb, int operation, void *number, uint64_t added);
extern void qemu_plugin_register_atexit_cb(plugin_id id, void (*ended)(plugin_id, void *), void *with);
extern size_t qemu_plugin_tb_n_insns(const struct tb *tb);

int qemu_plugin_version = 1;
static uint64_t count;

static void translated(plugin_id id, struct tb *tb)
{
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(tb, 0 /* add */, &count, qemu_plugin_tb_n_insns(tb));
}

static void ended(plugin_id id, void *with)
{
    char text[64];
    (void)id, (void)with;
    snprintf(text, sizeof text, "instructions: %llu\n", (unsigned long long)count);
    fputs(text, stderr);
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
    (void)info, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
