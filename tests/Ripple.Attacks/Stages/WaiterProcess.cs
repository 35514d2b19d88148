using System.Globalization;

namespace Ripple.Attacks.Stages;

/// <summary>A publisher that waits, in a process of its own, by the SDK, which asks again when the host was away.</summary>
internal sealed class WaiterProcess : IAsyncDisposable
{
    private readonly ChildProcess _child;

    private WaiterProcess(string? program, string connectionFile, string application) =>
        _child = ChildProcess.Start(program, _ => { }, Roles.RoleTable.Waiter, connectionFile, application);

    public static async Task<WaiterProcess> StartAsync(string? program, string connectionFile, string application)
    {
        var waiter = new WaiterProcess(program, connectionFile, application);
        await waiter._child.ExpectAsync(TimeSpan.FromSeconds(60), "ready");
        return waiter;
    }

    public Task BeginAsync(ulong release, string predicate, TimeSpan timeout) =>
        _child.SendAsync(string.Create(CultureInfo.InvariantCulture, $"{release} {timeout.TotalSeconds} {predicate}"));

    /// <summary>The outcome, how many members it was bound to, and the names of those that were not counted.</summary>
    public async Task<string[]> EndAsync(TimeSpan timeout) => (await _child.ExpectAsync(timeout, "outcome"))[1..];

    public ValueTask DisposeAsync() => _child.DisposeAsync();
}
