using Ripple.Gms.Server;

namespace Ripple.Gms.Tests.Server;

/// <summary>What nodes say of themselves cannot forge lines of the host's log, nor write to the terminal it is read on.</summary>
public sealed class EventLogTests
{
    [Fact]
    public void Every_kind_of_event_is_logged_as_one_safe_line()
    {
        foreach (GmsEventKind kind in Enum.GetValues<GmsEventKind>())
        {
            using var logs = new LineLogs();
            EventLog.Write(
                logs.CreateLogger("Ripple.Gms"), new GmsEvent(kind, "web\u001b]0;pwned\a", "left\r\ninfo: Ripple.Gms[1000] forged\u202E"));
            string line = Assert.Single(logs.Lines).Text;
            Assert.Contains(@"web\u001B]0;pwned\u0007", line, StringComparison.Ordinal);
            Assert.Contains(@"left  info: Ripple.Gms[1000] forged\u202E", line, StringComparison.Ordinal);
        }
    }
}
