namespace Ripple.Load.Fanout.Net;

/// <summary>
/// Takes the calling thread into a named network namespace, and back when disposed of: what is opened in between stays there. Never across
/// an await.
/// </summary>
internal readonly ref struct NetNamespace : IDisposable
{
    private readonly int _home;

    private NetNamespace(string name)
    {
        _home = Linux.Checked(
            Linux.Open("/proc/thread-self/ns/net", Linux.ReadOnly | Linux.CloseOnExec), "open of the thread's network namespace");
        int there = Linux.Checked(
            Linux.Open($"/var/run/netns/{name}", Linux.ReadOnly | Linux.CloseOnExec), $"open of network namespace {name}");
        Linux.Checked(Linux.SetNamespace(there, Linux.CloneNewNet), $"setns to {name}");
        _ = Linux.Close(there);
    }

    /// <summary>Null: stays where it is.</summary>
    public static NetNamespace Enter(string? name) => name is null ? default : new NetNamespace(name);

    public void Dispose()
    {
        // 0 is the descriptor of the standard input, never of a namespace opened here: nothing was entered.
        if (_home > 0)
        {
            Linux.Checked(Linux.SetNamespace(_home, Linux.CloneNewNet), "setns back home");
            _ = Linux.Close(_home);
        }
    }
}
