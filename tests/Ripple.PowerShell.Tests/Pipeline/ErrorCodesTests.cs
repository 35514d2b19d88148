using System.Management.Automation;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Tests.Pipeline;

/// <summary>Ids are the codes, and every code has its category.</summary>
public sealed class ErrorCodesTests
{
    public static TheoryData<string> Codes => [.. new[]
    {
        typeof(ProblemCodes),
        typeof(ErrorCodes),
    }.SelectMany(t => t.GetFields()).Where(f => f.IsLiteral).Select(f => (string)f.GetRawConstantValue()!).Distinct()];

    [Theory]
    [MemberData(nameof(Codes))]
    public void Every_code_has_a_category(string code) =>
        Assert.True(code == ProblemCodes.Internal || ErrorCodes.Category(code) != ErrorCategory.NotSpecified, code);

    [Fact]
    public void The_hosts_code_is_the_id()
    {
        ErrorRecord record = ErrorCodes.Record(
            new RippleAdminException(
                new Problem { Code = ProblemCodes.WrongExpectedRelease, Title = "t", Detail = "41 is not the newest" }),
            "orders");

        Assert.Equal(
            ("Ripple.wrong_expected_release", ErrorCategory.InvalidOperation, "orders"),
            (record.FullyQualifiedErrorId, record.Category, record.TargetObject));
        Assert.Equal("41 is not the newest", record.Exception.Message);
    }

    [Fact]
    public void No_host_is_a_connection_error() =>
        Assert.Equal(
            ("Ripple.unreachable", ErrorCategory.ConnectionError),
            ErrorCodes.Record(new RippleAdminException(AdminFailure.Unreachable, "no host"), null) is var r
                ? (r.FullyQualifiedErrorId, r.Category)
                : default);
}
