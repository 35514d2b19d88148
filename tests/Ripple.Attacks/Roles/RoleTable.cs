namespace Ripple.Attacks.Roles;

/// <summary>What this program is when it was started by itself: the first argument.</summary>
internal static class RoleTable
{
    public const string Member = "role-member";
    public const string HostedMember = "role-hosted-member";
    public const string Publisher = "role-publisher";
    public const string Waiter = "role-waiter";
    public const string Spin = "role-spin";
    public const string Attacker = "role-attacker";

    public static Task<int> RunAsync(string role, string[] args) => role switch
    {
        Member => MemberRole.RunAsync(args),
        HostedMember => HostedMemberRole.RunAsync(args),
        Publisher => PublisherRole.RunAsync(args),
        Waiter => WaiterRole.RunAsync(args),
        Spin => SpinRole.RunAsync(args),
        Attacker => AttackerRole.RunAsync(args),
        _ => throw new ArgumentException($"There is no role '{role}'.", nameof(role)),
    };
}
