using Ripple.Gms.Store;
using Ripple.Testing.Disks;
using Ripple.Testing.Oracles;
using static Ripple.Simulation.Tests.Oracles.OracleWorld;

namespace Ripple.Simulation.Tests.Oracles;

public class AuditCheckerTests
{
    private static readonly AuditEntry Token = new(1, "administrator", "token.create", null, null, "text");

    [Fact]
    public void The_audit_has_the_lines_of_the_changes_and_no_others()
    {
        var world = new OracleWorld();
        var audit = new AuditChecker(world.World, world.Model);
        Check(audit);
        Fails("Audit", () => Check(audit, Token));
        audit.OnCopied();
        audit.OnAdministered(new AuditLine("token.create", "administrator", null, null, null));
        Check(audit, Token);
        Fails("Audit", () => Check(audit));
        Fails("Audit", () => Check(audit, Token, Token));
        Fails("Audit", () => Check(audit, Token with { Actor = "another" }));
        audit.OnRestored(isNoticed: false);
        Check(audit);
    }

    [Fact]
    public void What_was_attempted_may_be_there_once()
    {
        var world = new OracleWorld();
        var audit = new AuditChecker(world.World, world.Model);
        var line = new AuditLine("token.create", "administrator", null, null, null);
        audit.OnAttempted(line);
        Check(audit);
        Check(audit, Token);
        Fails("Audit", () => Check(audit, Token, Token));
        audit.OnAdministered(line);
        Fails("Audit", () => Check(audit));
        Fails("Audit", () => Check(audit, Token, Token));
    }

    private static void Check(AuditChecker audit, params AuditEntry[] lines) => audit.Check(StoreImage.Empty with { Audit = [.. lines] });
}
