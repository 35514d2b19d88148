using System.Text.RegularExpressions;
using Ripple.Admin.Contracts;
using Ripple.Guide.Tests.Terminals;

namespace Ripple.Guide.Tests.Pages;

/// <summary>The page of the module, in a PowerShell that the build made, at two clusters.</summary>
internal sealed partial class PowerShellPage() : HostedPage("powershell.md", "orders")
{
    private static readonly string Module = Path.Combine(GuidePages.Root, ReaderHome.Module);

    /// <summary>What is typed in a terminal of its own is in a runspace of its own; the rest is typed once it has subscribed.</summary>
    private static readonly string Watched =
        $$"""
        $watch = [powershell]::Create().AddScript({
            Import-Module '{{Module}}'
            LINE
        })
        $seen = [Management.Automation.PSDataCollection[psobject]]::new()
        $null = $watch.BeginInvoke([Management.Automation.PSDataCollection[psobject]]::new(), $seen)
        while (-not (Get-RippleSpace trades -Explain @{ price = 15; volume = 5000 })) { Start-Sleep -Milliseconds 20 }
        """;

    private const string Seen =
        """
        while ($seen.Count -eq 0) { Start-Sleep -Milliseconds 20 }
        if ($seen[0].Value -ne 'sold to Ann') { throw "It saw $($seen[0].Value)" }
        $watch.Stop()

        """;

    private GuideHost? _test;
    private string _token = string.Empty;
    private string _region = string.Empty;

    protected override async Task PrepareAsync()
    {
        await base.PrepareAsync();
        _test = await GuideHost.StartAsync(Path.Combine(Home.Scratch, "test-host"), "orders");
        await _test.PublishAsync("orders", until: 1, ("payment.json", """{ "retries": 2 }"""));
        Home.Write("admin.connection", await File.ReadAllTextAsync(Host.AdminConnection, Cancel));
        Home.Write("live.connection", await File.ReadAllTextAsync(Host.AdminConnection, Cancel));
        Home.Write("test.connection", await File.ReadAllTextAsync(_test.AdminConnection, Cancel));
        Home.Write("settings/limits.json", """{ "limits": { "max": 5, "burst": 9 }, "hosts": [] }""");
        Home.Write("limits.json", "{}");
        await Host.Admin.CreateApplicationAsync("trades", Cancel);
        await Host.Admin.CreateApplicationAsync("orders-test", Cancel);
        // What the page publishes until it comes to release 42 is seven of them.
        await Host.PublishAsync("orders", until: 35, ("old", "1"));
        foreach (string name in (string[])["web-1", "web-2"])
        {
            await Host.JoinAsync("orders", name, "eu-1");
        }

        _region = (await RegionAsync())[..4];
        _token = (await Host.Admin.CreateTokenAsync(
            new CreateTokenRequest { Applications = ["trades"], Role = Role.Node, Name = "old" }, Cancel)).Token.TokenId;
    }

    public override string? WhyNotTyped(GuideBlock block) =>
        block.Text.StartsWith("dotnet build ", StringComparison.Ordinal) ? "It builds the clone, which these tests were built with." : null;

    protected override string Put(GuideBlock block)
    {
        string text = block.Text
            .Replace("./src/Admin/Ripple.PowerShell/bin/Release/module/Ripple", Module, StringComparison.Ordinal)
            .Replace("0123456789abcdef", _token, StringComparison.Ordinal)
            .Replace("3f9c", _region, StringComparison.Ordinal);
        return WatchLine().IsMatch(text)
            ? WatchLine().Replace(text, m => Watched.Replace("LINE", m.Value, StringComparison.Ordinal)) + Seen
            : text;
    }

    /// <summary>Yes to each question of a block.</summary>
    protected override string Answers(GuideBlock block) => string.Concat(Enumerable.Repeat("Y\n", Questions().Count(block.Text)));

    protected override async ValueTask EndAsync()
    {
        if (_test is not null)
        {
            await _test.DisposeAsync();
        }

        await base.EndAsync();
    }

    [GeneratedRegex("^Watch-RippleEvent .*$", RegexOptions.Multiline)]
    private static partial Regex WatchLine();

    /// <summary>What asks: the option, and cmdlets that cannot be undone.</summary>
    [GeneratedRegex("(?m) -Confirm$|^Undo-|^Revoke-")]
    private static partial Regex Questions();
}
