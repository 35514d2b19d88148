namespace Ripple.Attacks.Roles;

/// <summary>Sits on one processor and does nothing, as the attacker will: until its standard input ends.</summary>
internal static class SpinRole
{
    public static async Task<int> RunAsync(string[] args)
    {
        Pinning.To(args[0]);
        using var ending = new CancellationTokenSource();
        var spinning = new Thread(() =>
        {
            while (!ending.IsCancellationRequested)
            {
                Thread.SpinWait(1_000);
            }
        });
        spinning.Start();
        Console.WriteLine("ready");
        await Console.In.ReadLineAsync();
        await ending.CancelAsync();
        spinning.Join();
        return 0;
    }
}
